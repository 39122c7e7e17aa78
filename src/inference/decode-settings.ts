import { z } from "zod";

/** How the candidates of a sentence become its entities. */
export const decodeSettings = z.strictObject({
  overlap: z.enum(["flat", "nested", "all"]).default("flat"),
  /** Entities below this probability are left out. */
  minScore: z.number().min(0).max(1).default(0),
});
export type DecodeSettings = z.output<typeof decodeSettings>;
