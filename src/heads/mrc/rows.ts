import type { Encoder } from "../../encoders/index.ts";
import { asked, type Sentence, tokenCount } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Batch } from "../head.ts";
import { spanBatch } from "../span/batch.ts";
import { type SpanGrid, spanGrid } from "../span/grid.ts";
import type { MrcModelSettings, MrcSettings } from "./settings.ts";

/** A row of the encoder's batch: a sentence, perhaps behind a query, and the types that its scores are of. */
export interface MrcRow {
  /** As the encoder sees it. */
  readonly sentence: Sentence;
  /** Tokens of the query. */
  readonly offset: number;
  /** The spans of the sentence itself. */
  readonly grid: SpanGrid;
  /** Numbers of types: one that the query asks for, or all. */
  readonly types: readonly number[];
}

/** How many scores a token or a pair of a row has. */
export function outputsOf(types: readonly string[], { query }: Pick<MrcModelSettings, "query">): number {
  return query === "read" ? 1 : types.length;
}

/** The rows of a sentence: one for each query that is read, else one. */
export function rowsOf(
  sentence: Sentence,
  types: readonly string[],
  { query, queries, maxWidth }: Pick<MrcModelSettings, "query" | "queries" | "maxWidth">,
): MrcRow[] {
  const grid = spanGrid(tokenCount(sentence), maxWidth);
  if (query === "vector") return [{ sentence, offset: 0, grid, types: types.map((_, type) => type) }];
  return types.map((name, type) => {
    const whole = asked(queries[name]!, sentence);
    return { sentence: whole, offset: whole.question!, grid, types: [type] };
  });
}

/** All pairs of starts and ends of rows as numbers; rows are padded to `width` pairs. */
export function rowBatch(rows: readonly MrcRow[], encoder: Encoder): { readonly batch: Batch; readonly width: number } {
  const all = rows.map(({ grid }) => Int32Array.from({ length: grid.size }, (_, index) => index));
  const { batch, width } = spanBatch(rows, encoder, all);
  for (const name of ["span.starts", "span.ends"]) {
    const { data } = batch.feeds[name]!;
    rows.forEach(({ offset }, b) => {
      for (let s = b * width; s < (b + 1) * width; s++) data[s]! += offset;
    });
  }
  return { batch, width };
}

/** Whether queries are read: what is frozen is computed for the sentences of a corpus, not for queries before them. */
export function readingOf(query: MrcSettings["query"], encoder: Encoder): "read" | "vector" {
  const frozen = encoder.prepare !== undefined;
  if (query === "auto") return encoder.pretrained.length > 0 && !frozen ? "read" : "vector";
  if (query === "read" && frozen)
    throw new InputError(
      `head mrc: query=read needs an encoder without frozen parts, which never see the queries; take query=vector or train the parts of encoder "${encoder.name}"`,
    );
  return query;
}
