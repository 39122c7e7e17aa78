import { z } from "zod";
import { offsetUnits, type Scheme } from "../../text/index.ts";

/** How documents are read, as it stands in a plan; the names are those of `ReadOptions`. */
export const readingSchema = z.strictObject({
  silence: z.enum(["unknown", "negative"]).optional(),
  scheme: z.custom<Scheme>((value) => typeof value === "string").optional(),
  strict: z.boolean().optional(),
  flat: z.boolean().optional(),
  labels: z.array(z.string()).optional(),
  offsets: z.enum(offsetUnits).optional(),
  candidates: z.boolean().optional(),
  textKey: z.string().optional(),
  encoding: z.string().optional(),
});
