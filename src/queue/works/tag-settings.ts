import { z } from "zod";
import { limits } from "../../formats/index.ts";
import { readingSchema } from "./reading.ts";

/** What a shard of tagged text may be written as: formats that can be joined. */
export const tagFormats = ["text", "jsonl"] as const;

export const tagSchema = z.strictObject({
  model: z.string(),
  /** Of the model's files: a machine with another model under the same path must not take part. */
  hash: z.string(),
  format: z.enum(tagFormats),
  decode: z.strictObject({
    minScore: z.number().optional(),
    overlap: z.enum(["flat", "nested", "all"]).optional(),
    shift: z.number().optional(),
  }),
  parts: z.record(z.string(), z.string()).optional(),
  reading: readingSchema,
});
export type TagSettings = z.output<typeof tagSchema>;

/** A prediction has scores, and documents names and spaces, which columns do not hold: known, and no surprise. */
export const expectedLosses: ReadonlySet<string> = new Set(
  [limits.scores, limits.ids, limits.spacing].map(({ what }) => what),
);
