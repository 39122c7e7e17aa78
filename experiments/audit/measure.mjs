// How good an order of suspicions is, by the truth.
import { averagePrecision, precisionAt } from "lacuna-ner/studies";
import { overlaps, same } from "./noise.mjs";

/** The errors of each sentence: differences between given and true labels; those that overlap are one error. */
export function errorsOf(gold, given) {
  return gold.map((truth, i) => {
    const labels = given[i].entities;
    const missing = truth.entities.filter((entity) => !labels.some((other) => same(other, entity)));
    const wrong = labels.filter((entity) => !truth.entities.some((other) => same(other, entity)));
    const errors = [];
    const all = [
      ...missing.map((each) => ({ ...each, isMissing: true })),
      ...wrong.map((each) => ({ ...each, isMissing: false })),
    ];
    for (const each of all.sort((a, b) => a.start - b.start)) {
      const error = errors.find((parts) => parts.some((part) => overlaps(part, each)));
      if (error) error.push(each);
      else errors.push([each]);
    }
    return errors;
  });
}

/**
 * A suspicion is a hit if an error is in its place (`place`), or if what it says of the place is right in span and type
 * (`exact`). An error can be found once.
 */
export function measure(suspicions, errors) {
  const total = errors.reduce((sum, each) => sum + each.length, 0);
  const measured = (isHit) => {
    const found = new Set();
    const hits = suspicions.map((suspicion) => {
      const error = errors[suspicion.sentence].find((each) => !found.has(each) && isHit(suspicion, each));
      if (error) found.add(error);
      return error !== undefined;
    });
    return [averagePrecision(hits, total), precisionAt(hits, 100), precisionAt(hits, 1000)];
  };
  const [ap, p100, p1000] = measured((s, error) =>
    error.some((part) => overlaps(part, s) || (s.given && overlaps(part, s.given))),
  );
  const [exactAp, exactP100, exactP1000] = measured(isExact);
  return { errors: total, listed: suspicions.length, ap, p100, p1000, exactAp, exactP100, exactP1000 };
}

function isExact(suspicion, error) {
  const suggests = error.some((part) => part.isMissing && same(part, suspicion));
  const doubts = error.some((part) => !part.isMissing && suspicion.given && same(part, suspicion.given));
  if (suspicion.kind === "missing") return suggests;
  return suspicion.kind === "wrong" ? doubts && !error.some((part) => part.isMissing) : doubts && suggests;
}

/** F1 of the annotation against the truth after so many decisions. The answer for the first of a group goes for all of it. */
export function reviewed(groups, gold, given, marks) {
  const labels = given.map(({ entities }) => entities.map(({ start, end, type }) => ({ start, end, type })));
  const result = [f1(labels, gold)];
  for (let number = 0; number < Math.max(...marks); number++) {
    const group = groups[number];
    if (group && isRight(group[0], gold)) for (const suspicion of group) apply(suspicion, labels[suspicion.sentence]);
    if (marks.includes(number + 1)) result.push(f1(labels, gold));
  }
  return result;
}

function isRight({ sentence, kind, given, ...span }, gold) {
  const isTrue = (entity) => gold[sentence].entities.some((other) => same(other, entity));
  return kind === "wrong" ? !isTrue(given) : isTrue(span);
}

function apply({ kind, start, end, type, given }, labels) {
  const doubted = given ? labels.findIndex((label) => same(label, given)) : -1;
  if (doubted >= 0) labels.splice(doubted, 1);
  if (kind !== "wrong") labels.push({ start, end, type });
}

function f1(labels, gold) {
  let [right, given, truth] = [0, 0, 0];
  gold.forEach(({ entities }, i) => {
    given += labels[i].length;
    truth += entities.length;
    right += labels[i].filter((label) => entities.some((entity) => same(entity, label))).length;
  });
  return (2 * right) / (given + truth);
}
