import { type Annotation, makeSentence, type Sentence } from "../../src/text/index.ts";

/** A sentence whose tokens are the words of a text between spaces. */
export function sentenceOf(text: string, annotation: Annotation = {}): Sentence {
  const offsets: number[] = [];
  for (const match of text.matchAll(/\S+/g)) offsets.push(match.index, match.index + match[0].length);
  return makeSentence(text, Int32Array.from(offsets), annotation);
}
