import { z } from "zod";
import { type ScorerName, scorers } from "./scorers.ts";

export const spanSettings = z.strictObject({
  /** `product`: start, end, difference and product; `width`: start, end and width through two layers; `biaffine`: a bilinear form for each label. */
  scorer: z.enum(Object.keys(scorers) as [ScorerName, ...ScorerName[]]).default("product"),
  /** Width of a span's hidden state; with `biaffine`, of the projections of its first and its last token. */
  hidden: z.int().min(1).default(256),
  /** Dropout of token vectors before they are joined to spans, and of the spans' hidden states. */
  dropout: z.number().min(0).lt(1).default(0.3),
  /** The widest span that is scored, in tokens; `auto` keeps 99.9 % of the training entities. */
  maxWidth: z.union([z.literal("auto"), z.int().min(1)]).default("auto"),
});
export type SpanSettings = z.output<typeof spanSettings>;

/** With the width decided. */
export type SpanModelSettings = Omit<SpanSettings, "maxWidth"> & { readonly maxWidth: number };
