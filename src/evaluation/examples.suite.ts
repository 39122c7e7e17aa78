import fc from "fast-check";
import { type Annotation, type Entity, makeSentence, type Sentence } from "../text/document.ts";
import { wholly } from "../text/states.ts";
import type { PlacedPair, SentencePair } from "./pairs.ts";

/** `"PER 0 2, LOC 3 4"`: type, first token, token after the last. */
export function entities(notation: string): Entity[] {
  return notation
    .split(",")
    .map((part) => part.trim().split(" "))
    .filter((parts) => parts.length === 3)
    .map(([type, start, end]) => ({ type: type!, start: Number(start), end: Number(end) }));
}

/** A sentence of the words, with single spaces between them. */
export function sentence(words: readonly string[], annotation: Annotation = {}): Sentence {
  const offsets = new Int32Array(2 * words.length);
  let position = 0;
  for (const [index, word] of words.entries()) {
    offsets[2 * index] = position;
    offsets[2 * index + 1] = position + word.length;
    position += word.length + 1;
  }
  return makeSentence(words.join(" "), offsets, annotation);
}

/** Eight tokens with complete gold, the usual case. */
export function pair(gold: string, predicted: string): SentencePair {
  const words = ["a", "b", "c", "d", "e", "f", "g", "h"];
  return {
    gold: sentence(words, { entities: entities(gold), complete: wholly(words.length) }),
    predicted: sentence(words, { entities: entities(predicted) }),
  };
}

export function placed(sentencePair: SentencePair): PlacedPair {
  return { ...sentencePair, document: 0, sentence: 0 };
}

/** Distinct entities over at most eight tokens, nested and crossing ones among them. */
export const anyEntities: fc.Arbitrary<Entity[]> = fc.uniqueArray(
  fc
    .tuple(fc.nat({ max: 7 }), fc.integer({ min: 1, max: 4 }), fc.constantFrom("A", "B", "C"))
    .map(([start, width, type]) => ({ start, end: Math.min(8, start + width), type })),
  { maxLength: 6, selector: ({ start, end, type }) => `${start} ${end} ${type}` },
);

export const anyPair: fc.Arbitrary<SentencePair> = fc.tuple(anyEntities, anyEntities).map(([gold, predicted]) => {
  const words = ["a", "b", "c", "d", "e", "f", "g", "h"];
  return {
    gold: sentence(words, { entities: gold, complete: wholly(words.length) }),
    predicted: sentence(words, { entities: predicted }),
  };
});
