// Data with known faults: annotations hidden on purpose and wrong ones added, or real distant labels; each with the truth.
import { annotate, mask, random, readAll, tokenCount } from "lacuna-ner";

const hiddenShare = 0.3;
const wrongShare = 0.05;

/** The first sentences as they are given to the audit, and as people labelled them. `kind`: mention, surface or distant. */
export async function faultyData(data, set, kind, { seed = 1, most = Number.POSITIVE_INFINITY } = {}) {
  const read = async (name) =>
    (await readAll([`${data}/${set}-distant/${name}.conll`])).flatMap((each) => each.sentences).slice(0, most);
  const gold = await read("train.gold");
  if (kind === "distant") return { gold, given: await read("train") };
  const given = [];
  const documents = gold.map((sentence) => ({ text: sentence.text, sentences: [sentence] }));
  for await (const { masked } of mask(documents, { by: kind, rate: hiddenShare }, seed))
    given.push(masked.sentences[0]);
  const all = gold.flatMap(({ entities }) => entities);
  const types = [...new Set(all.map(({ type }) => type))].sort();
  const context = { types, all };
  return { gold, given: given.map((sentence, i) => spoiled(sentence, gold[i], context, random(seed, "noise", i))) };
}

/** One annotation in twenty gets another type or another boundary, or a label that means nothing is added. */
function spoiled(sentence, gold, { types, all }, rng) {
  const length = tokenCount(sentence);
  const added = [];
  const clash = (span, list, own) => list.some((other) => other !== own && overlaps(other, span));
  const entities = sentence.entities.map((entity) => {
    if (rng.next() >= wrongShare) return entity;
    const choice = rng.next();
    if (choice < 1 / 3) {
      const others = types.filter((type) => type !== entity.type);
      return { ...entity, type: others[rng.below(others.length)] };
    }
    const moves = [
      [-1, 0],
      [1, 0],
      [0, -1],
      [0, 1],
    ]
      .map(([a, b]) => ({ ...entity, start: entity.start + a, end: entity.end + b }))
      .filter((moved) => moved.start >= 0 && moved.end <= length && moved.start < moved.end)
      .filter((moved) => !clash(moved, sentence.entities, entity))
      .filter(
        (moved) =>
          !clash(
            moved,
            gold.entities.filter(({ start, end }) => start !== entity.start || end !== entity.end),
          ),
      );
    if (choice < 2 / 3 && moves.length > 0) return moves[rng.below(moves.length)];
    const like = all[rng.below(all.length)];
    const width = like.end - like.start;
    for (let tries = 0; tries < 10 && length > width; tries++) {
      const start = rng.below(length - width + 1);
      const span = { start, end: start + width, type: like.type };
      if (clash(span, sentence.entities) || clash(span, gold.entities)) continue;
      added.push(span);
      break;
    }
    return entity;
  });
  return annotate(sentence, {
    entities: [...entities, ...added.filter((span, i) => !clash(span, added.slice(0, i)))],
  });
}

export function overlaps(a, b) {
  return a.start < b.end && b.start < a.end;
}

export function same(a, b) {
  return a.start === b.start && a.end === b.end && a.type === b.type;
}
