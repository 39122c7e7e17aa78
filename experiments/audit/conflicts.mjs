// Suspicions from surfaces alone: a text that is labelled in one place and not, or otherwise, in another.
import { tokenTexts } from "lacuna-ner";
import { overlaps } from "./noise.mjs";

/** The more often a text is labelled elsewhere, the more suspect is a place without this label. */
export function conflictOrder(given) {
  const words = given.map((sentence) => tokenTexts(sentence));
  const text = (sentence, { start, end }) => words[sentence].slice(start, end).join(" ");
  const places = new Map();
  given.forEach(({ entities }, i) => {
    for (const entity of entities) places.set(text(i, entity), []);
  });
  const widest = Math.max(...[...places.keys()].map((key) => key.split(" ").length));
  given.forEach(({ entities }, sentence) => {
    const length = words[sentence].length;
    for (let start = 0; start < length; start++) {
      for (let end = start + 1; end <= Math.min(length, start + widest); end++) {
        const list = places.get(text(sentence, { start, end }));
        if (!list) continue;
        const label = entities.find((entity) => entity.start === start && entity.end === end);
        if (label || !entities.some((entity) => overlaps(entity, { start, end })))
          list.push({ sentence, start, end, label });
      }
    }
  });
  const suspicions = [...places.values()].flatMap((list) => list.map((place) => suspicionOf(place, list)));
  return suspicions.sort((a, b) => b.score - a.score || b.count - a.count);
}

function suspicionOf({ sentence, start, end, label }, list) {
  const counts = new Map();
  for (const other of list) {
    if (other.sentence === sentence && other.start === start) continue;
    const name = other.label?.type ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const count = list.length - 1;
  const own = label?.type ?? "";
  const rivals = [...counts].filter(([name]) => name !== own).sort((a, b) => b[1] - a[1]);
  const [rival, support] = rivals[0] ?? [own, 0];
  const kind = label === undefined ? "missing" : rival === "" ? "wrong" : "type";
  const given = label ? { start, end, type: label.type } : null;
  return {
    kind,
    sentence,
    start,
    end,
    type: rival === "" ? own : rival,
    given,
    score: count === 0 ? 0 : support / count,
    count,
  };
}
