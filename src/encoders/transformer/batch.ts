import { type Layout, subwordNumbers } from "../../inputs/index.ts";
import type { Data } from "../../tensor/index.ts";
import { keyOf } from "../../util/random.ts";
import type { EncoderBatch, Table } from "../encoder.ts";
import { rowsOf } from "../tables.ts";
import type { Architecture } from "./config.ts";

/** A layout as the numbers that the graph of an architecture reads. */
export function layoutBatch(
  layout: Layout,
  table: Table,
  { padding, distanceBuckets: buckets }: Architecture,
): EncoderBatch {
  const {
    ids,
    visible,
    first,
    last,
    mask,
    buckets: distances,
    segments,
  } = subwordNumbers(layout, { padding, buckets });
  const { rows } = layout;
  const lookup = { table, input: table.name, rows: ids.data };
  const byRow = (data: Int32Array): Data => ({ data, shape: [rows.length] });
  return {
    lookups: [lookup],
    feeds: {
      [table.name]: rowsOf(lookup, ids.shape),
      "transformer.visible": visible,
      ...(distances && { "transformer.buckets": distances }),
      ...(segments && { "transformer.segments": segments }),
      "transformer.sentence": byRow(Int32Array.from(rows, ({ sentence }) => sentence)),
      "transformer.salt": byRow(Int32Array.from(rows, ({ window }) => saltOf(window))),
      "transformer.first": first,
      "transformer.last": last,
      "transformer.mask": mask,
    },
  };
}

/** Makes the draws of a sentence's windows differ; the first keeps the sentence's own. */
function saltOf(window: number): number {
  return window === 0 ? 0 : keyOf(0, "window", window) | 0;
}
