import { input, type Tensor } from "../tensor/index.ts";
import { type Sentence, tokenCount, tokenText } from "../text/index.ts";
import type { EncoderBatch, Table } from "./encoder.ts";
import { emptyTable, rowsOf } from "./tables.ts";
import { type Vocabulary, vocabulary } from "./vocabulary.ts";

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

/** A table with a row for each text that is known, all zero, and the rows of tokens in a batch. */
export interface TokenTable {
  readonly table: Table;
  readonly known: Vocabulary;
  batch(sentences: readonly Sentence[], time: number): EncoderBatch;
  /** `[batch, time, width]` */
  input(): Tensor;
}

export interface TokenTableOptions {
  readonly width: number;
  readonly trainable?: boolean;
  readonly textAt: TextAt;
}

export function tokenTable(
  name: string,
  entries: readonly string[],
  { width, trainable = true, textAt }: TokenTableOptions,
): TokenTable {
  const known = vocabulary(entries);
  const table = emptyTable(name, known, width, trainable);
  return {
    table,
    known,
    batch(sentences, time) {
      const rows = new Int32Array(sentences.length * time);
      sentences.forEach((sentence, b) => {
        for (let i = 0; i < tokenCount(sentence); i++) rows[b * time + i] = known.id(textAt(sentence, i));
      });
      const lookup = { table, input: name, rows };
      return { lookups: [lookup], feeds: { [name]: rowsOf(lookup, [sentences.length, time]) } };
    },
    input: () => input(name, "float32", ["batch", "time", width]),
  };
}
