import { type Sentence, tokenCount, tokenText } from "../text/index.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** What a token is looked up by. */
export type TextAt = (sentence: Sentence, token: number) => string;

/** Words are looked up without case; the shape and the characters tell it. */
export const foldedAt: TextAt = (sentence, i) => tokenText(sentence, i).toLowerCase();

/** A token with the one behind it. */
export const bigramAt: TextAt = (sentence, i) =>
  tokenText(sentence, i) + (i + 1 < tokenCount(sentence) ? tokenText(sentence, i + 1) : "\n");

/** The texts of all tokens. */
export function* textsOf(sentences: readonly Sentence[], textAt: TextAt): Generator<string> {
  for (const sentence of sentences) for (let i = 0; i < tokenCount(sentence); i++) yield textAt(sentence, i);
}

/** Tokens of the longest sentence, at least one. */
export function longestOf(sentences: readonly Sentence[]): number {
  return sentences.reduce((most, sentence) => Math.max(most, tokenCount(sentence)), 1);
}

/** The id of each token in a vocabulary: `[batch, time]`. */
export function tokenIds(
  sentences: readonly Sentence[],
  time: number,
  known: Pick<Vocabulary, "id">,
  textAt: TextAt,
): Int32Array {
  const ids = new Int32Array(sentences.length * time);
  sentences.forEach((sentence, b) => {
    for (let i = 0; i < tokenCount(sentence); i++) ids[b * time + i] = known.id(textAt(sentence, i));
  });
  return ids;
}

/** Ones for tokens and zeros for padding: `[batch, time]`. */
export function maskOf(sentences: readonly Sentence[], time: number): Float32Array {
  const mask = new Float32Array(sentences.length * time);
  sentences.forEach((sentence, b) => {
    mask.fill(1, b * time, b * time + tokenCount(sentence));
  });
  return mask;
}
