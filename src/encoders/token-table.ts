import {
  bigramAt,
  type EntryList,
  foldedAt,
  type InputSpec,
  type TextAt,
  tokenIds,
  type Vocabulary,
  vocabulary,
} from "../inputs/index.ts";
import { input, type Tensor } from "../tensor/index.ts";
import type { Sentence } from "../text/index.ts";
import { type EncoderBatch, idsOf, type Table } from "./encoder.ts";
import { emptyTable, rowsOf } from "./tables.ts";

/** A table with a row for each text that is known, all zero, and the rows of tokens in a batch. */
export interface TokenTable {
  readonly table: Table;
  readonly known: Vocabulary;
  batch(sentences: readonly Sentence[], time: number): EncoderBatch;
  /** `[batch, time, width]` */
  input(): Tensor;
  /** How its ids are made, by the entries in a file. */
  spec(entries: EntryList): InputSpec;
}

export interface TokenTableOptions {
  readonly width: number;
  readonly trainable?: boolean;
  /** What is looked up: a word without case, or a token with the one behind it. */
  readonly of: keyof typeof texts;
}

const texts = { word: foldedAt, pair: bigramAt } as const satisfies Record<string, TextAt>;

export function tokenTable(
  name: string,
  entries: readonly string[],
  { width, trainable = true, of }: TokenTableOptions,
): TokenTable {
  const known = vocabulary(entries);
  const table = emptyTable(name, known, width, trainable);
  return {
    table,
    known,
    batch(sentences, time) {
      const rows = tokenIds(sentences, time, known, texts[of]);
      const lookup = { table, input: name, rows };
      return { lookups: [lookup], feeds: { [name]: rowsOf(lookup, [sentences.length, time]) } };
    },
    input: () => input(name, "float32", ["batch", "time", width]),
    spec: (list) => ({ kind: "tokens", input: idsOf(name), of, entries: list }),
  };
}
