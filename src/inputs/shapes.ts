import { type Sentence, tokenCount, tokenText } from "../text/index.ts";

const patterns: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["lower", /^\p{Ll}+$/u],
  ["capitalised", /^\p{Lu}\p{Ll}+$/u],
  ["letter", /^\p{Lu}$/u],
  ["upper", /^\p{Lu}+$/u],
  ["digits", /^\p{Nd}+$/u],
  ["number", /^(?=[.,:/-]*\p{Nd})[\p{Nd}.,:/-]+$/u],
  ["dotted", /^(\p{Lu}\.)+$/u],
  ["with digits", /\p{Nd}/u],
  ["capitalised, mixed", /^\p{Lu}/u],
  ["lower, mixed", /^\p{Ll}/u],
  ["letters", /\p{L}/u],
  ["symbols", /./u],
];

/** The shapes of words by number; 0 is padding. */
export const shapeNames: readonly string[] = ["padding", ...patterns.map(([name]) => name)];

/** The patterns of the shapes, from shape 1 on: a word has the first one that it matches. */
export const shapePatterns: readonly string[] = patterns.map(([, { source }]) => source);

/** The first shape that fits; 0 is padding. */
export function shapeOf(word: string): number {
  return 1 + patterns.findIndex(([, pattern]) => pattern.test(word));
}

/** The shape of each token: `[batch, time]`. */
export function shapesOf(sentences: readonly Sentence[], time: number): Int32Array {
  const shapes = new Int32Array(sentences.length * time);
  sentences.forEach((sentence, b) => {
    for (let i = 0; i < tokenCount(sentence); i++) shapes[b * time + i] = shapeOf(tokenText(sentence, i));
  });
  return shapes;
}
