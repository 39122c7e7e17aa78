import { z } from "zod";

const label = z.union([z.string(), z.number()]).transform(String);
/** Values of axes that a run must have one of; no values for a run without the axis. */
export const selection = z.record(z.string(), z.union([label.transform((value) => [value]), z.array(label)]));
export type Selection = z.output<typeof selection>;

/** What a cell or a point shows; of several runs, their mean. */
export const measure = z.enum([
  "test.f1",
  "test.precision",
  "test.recall",
  "unshifted.f1",
  "unshifted.precision",
  "unshifted.recall",
  "dev.f1",
  "dev.precision",
  "dev.recall",
  "missampling",
  "seconds",
  "memory",
]);
export type Measure = z.output<typeof measure>;

/** Published figures beside ours. */
const paperSchema = z.strictObject({
  /** Where they stand: `000 Table 1`. */
  source: z.string(),
  /** The publication's encoder and its size. */
  encoder: z.string(),
  /** The row they belong to; none for a row of its own at the end. */
  row: selection.default({}),
  /** What the publication calls it. */
  method: z.string().optional(),
  /** By the label of the column; by the measure where there is no column. */
  values: z.record(z.string(), z.number()),
});
export type Paper = z.output<typeof paperSchema>;

export const tableSchema = z.strictObject({
  title: z.string(),
  rows: z.array(z.string()).min(1),
  columns: z.array(z.string()).default([]),
  /** With several, each column has one below the other. */
  measures: z.array(measure).min(1).default(["test.f1"]),
  where: selection.default({}),
  /** The row with which the others are compared, column by column. */
  baseline: selection.optional(),
  paper: z.array(paperSchema).default([]),
});
export type Table = z.output<typeof tableSchema>;
