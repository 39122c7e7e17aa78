import { z } from "zod";

export const autonerSettings = z.strictObject({
  /** Width of the hidden states of gaps and spans. */
  hidden: z.int().min(1).default(256),
  /** Highway layers over the hidden states. */
  highway: z.int().min(0).default(1),
  /** Dropout of token vectors, and of the hidden states. */
  dropout: z.number().min(0).lt(1).default(0.3),
  /** The widest span that is typed, in tokens; `auto` keeps 99.9 % of the training entities. */
  maxWidth: z.union([z.literal("auto"), z.int().min(1)]).default("auto"),
  /** What gaps and tokens train of which nobody spoke: `outside` are breaks and no entities, `any` leaves them open. */
  unknown: z.enum(["outside", "any"]).default("outside"),
  /** The loss of a gap: `cross-entropy`, whose scores are log-odds, or `hinge`, as published. */
  gapLoss: z.enum(["cross-entropy", "hinge"]).default("cross-entropy"),
  /** How much gaps count beside types. */
  gapWeight: z.number().min(0).default(1),
});
export type AutonerSettings = z.output<typeof autonerSettings>;

/** With the width decided. */
export type AutonerModelSettings = Omit<AutonerSettings, "maxWidth"> & { readonly maxWidth: number };
