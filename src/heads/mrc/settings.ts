import { z } from "zod";

const weight = z.number().min(0);

export const mrcSettings = z.strictObject({
  /** What is asked for each type, by its name; a type without a query is asked for by its name. */
  queries: z.record(z.string(), z.string().regex(/\S/, { error: "expected a question" })).default({}),
  /**
   * `read`: the query stands before the sentence, and the encoder reads both, once for each type; `vector`: a learned vector
   * for each type takes its place; `auto`: `read` where a transformer trains that has no frozen parts.
   */
  query: z.enum(["auto", "read", "vector"]).default("auto"),
  /** Width of the hidden state of a pair of start and end. */
  hidden: z.int().min(1).default(256),
  /** Dropout of token vectors, and of the hidden states of pairs. */
  dropout: z.number().min(0).lt(1).default(0.3),
  /** The widest entity, in tokens; `auto` keeps 99.9 % of the training entities. */
  maxWidth: z.union([z.literal("auto"), z.int().min(1)]).default("auto"),
  /** What starts, ends and pairs train of which nobody spoke: `outside` is no, `any` leaves them open. */
  unknown: z.enum(["outside", "any"]).default("outside"),
  /** The pairs that train the match: of starts and ends that are labelled or `predicted`, or `all`. */
  candidates: z.enum(["predicted", "all"]).default("predicted"),
  /** How much each of the three losses counts. */
  weights: z
    .strictObject({
      /** That an entity starts at a token. */
      start: weight.default(1),
      /** That one ends there. */
      end: weight.default(1),
      /** That a start and an end belong together. Its few pairs would otherwise outweigh all starts and ends. */
      match: weight.default(0.1),
    })
    .prefault({}),
});
export type MrcSettings = z.output<typeof mrcSettings>;

/** With everything decided. */
export type MrcModelSettings = Omit<MrcSettings, "maxWidth" | "query"> & {
  readonly maxWidth: number;
  readonly query: "read" | "vector";
};
