import { z } from "zod";
import { type RemovalMode, removalModes } from "../../nn/index.ts";
import { type TagScheme, tagSchemes } from "./tag-set.ts";

export const tokenSettings = z.strictObject({
  /** How entities are written as tags. */
  scheme: z.enum(Object.keys(tagSchemes) as [TagScheme, ...TagScheme[]]).default("bio"),
  /** `linear`: a score for each tag; `angle`: products with the corners of a simplex, which sum to 0. */
  scores: z.enum(["linear", "angle"]).default("linear"),
  /** `crf`: the tags of a sentence depend on one another; `softmax`: each token on its own. */
  output: z.enum(["crf", "softmax"]).default("crf"),
  /** Dropout of the token vectors. */
  dropout: z.number().min(0).lt(1).default(0.5),
  /** What a token trains of which nobody spoke: `outside` is O, `any` leaves its tag open. */
  unknown: z.enum(["outside", "any"]).default("outside"),
  /**
   * How a chain learns a teacher's shares: by the `likelihood` of sequences weighted with them, which ends in the teacher's
   * favourite, or by the `cross-entropy` of each token's own distribution (`crf` only; `softmax` has no other).
   */
  soft: z.enum(["likelihood", "cross-entropy"]).default("likelihood"),
  /**
   * What the tag of an entity counts beside O at such a token with `unknown=any` (`crf` only): 1 is as much. Less pulls
   * towards O, by a bounded loss, and trains also where nothing is known to be no entity.
   */
  prior: z.number().gt(0).max(1).default(1),
  /** What the score of a sentence forgets at a token that was taken out of training (`crf` only). */
  removal: z.enum(removalModes as [RemovalMode, ...RemovalMode[]]).default("literal"),
  /** One more type, NON, for spans without an entity that are drawn anew in each epoch; prediction takes it for O. */
  non: z
    .strictObject({
      /** Spans per token of a sentence, rounded up; 0 does without the type. */
      rate: z.number().min(0).default(0),
      /** The widest drawn span in tokens. */
      maxWidth: z.union([z.literal("none"), z.int().min(1)]).default(10),
    })
    .prefault({}),
});
export type TokenSettings = z.output<typeof tokenSettings>;
