import { type InputSpec, type SubwordLayout, type WordRow, wordNumbers } from "../../inputs/index.ts";
import { type EncoderBatch, idsOf } from "../encoder.ts";
import { rowsOf } from "../tables.ts";
import { type Words, wordsFile } from "./words.ts";

/** The input that says which words stand at a position: 1 in `[rows, positions, words]`. */
export const wordsAt = "words.at";

/** The words of each row as numbers, padded to one length: vectors `[rows, words, width]` and where they stand. */
export function wordBatch({ table, settings }: Words, rows: readonly WordRow[], positions: number): EncoderBatch {
  const { ids, at } = wordNumbers(rows, positions, settings.perToken);
  const lookup = { table, input: table.name, rows: ids.data };
  return {
    lookups: [lookup],
    feeds: { [table.name]: rowsOf(lookup, ids.shape), [wordsAt]: at },
  };
}

/** How an exported model makes the same. */
export function wordsAtSpec({ table, settings }: Words, positions: "tokens" | SubwordLayout): InputSpec {
  const { perToken } = settings;
  return { kind: "words-at", ids: idsOf(table.name), at: wordsAt, file: wordsFile, perToken, positions };
}
