import type { Candidate, Model } from "../heads/index.ts";
import { windows } from "../heads/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";
import { type Decoding, plainDecoding } from "./decode-settings.ts";
import type { Piece } from "./pieces.ts";
import { nextParts, Tagging } from "./tagging.ts";

/** What a toy model was asked for, for tests that look at it. */
export interface ToyCalls {
  /** Tokens of each call. */
  readonly tokens: number[];
  /** Sentences, in pieces, of each call. */
  readonly pieces: string[][];
}

/**
 * A model without a graph: a token `Xn`, a letter and digits, is an entity of type X. It works through taggings as the
 * Recogniser does, and fails on the word "poison".
 */
export function toyModel(calls: ToyCalls = { tokens: [], pieces: [] }, types: readonly string[] = ["A", "B"]) {
  const model = { types, typeOf: [-1, ...types.keys()] as readonly number[] } as Model;
  const candidates = ({ window: { sentence } }: Piece): Candidate[] =>
    wordsOf(sentence).flatMap((word, start) => {
      const label = 1 + types.indexOf(/^([A-Z])\d+$/.exec(word)?.[1] ?? "");
      return label > 0 ? [{ start, end: start + 1, label, score: Math.log(0.75) }] : [];
    });
  return {
    begin: (sentences: readonly Sentence[], decode: Partial<Decoding> = {}): Tagging =>
      new Tagging(model, sentences, cut(sentences), { ...plainDecoding, ...decode }),
    async advance(taggings: readonly Tagging[], { tokens, each = tokens }: { tokens: number; each?: number }) {
      const parts = nextParts(taggings, tokens, each);
      const words = parts.map(({ piece }) => wordsOf(piece.window.sentence));
      await new Promise((resolve) => setImmediate(resolve));
      if (words.flat().includes("poison")) throw new TypeError("a text that the model cannot take");
      calls.pieces.push(words.map((each) => each.join(" ")));
      calls.tokens.push(words.flat().length);
      for (const { tagging, piece } of parts) tagging.accept(piece, candidates(piece));
      return words.flat().length;
    },
  };
}

function* cut(sentences: readonly Sentence[]): Generator<Piece, void, undefined> {
  for (const [at, sentence] of sentences.entries())
    if (tokenCount(sentence) > 0)
      for (const window of windows(sentence)) yield { at, window, size: tokenCount(window.sentence) };
}

function wordsOf({ text, offsets }: Sentence): string[] {
  return Array.from({ length: offsets.length / 2 }, (_, i) => text.slice(offsets[2 * i], offsets[2 * i + 1]));
}
