import { z } from "zod";

export const ensembleSettings = z.strictObject({
  /** Models with other seeds, whose mean probabilities are distilled into one of the same size; 1 trains one model alone. */
  size: z.int().min(1).default(1),
  /** Keep these models as directories in `members/`. */
  keep: z.boolean().default(false),
});
