import { z } from "zod";
import { sampleIndices } from "../util/random.ts";
import type { BlindSampler } from "./sampler.ts";

export const fractionSettings = z.strictObject({
  /** The share of a sentence's unknown spans that serve as negatives. */
  share: z.number().positive().max(1).default(0.5),
  /** One draw before training, as the paper's wording suggests, or another in each epoch. */
  draw: z.enum(["static", "perEpoch"]).default("static"),
});
export type FractionSettings = z.output<typeof fractionSettings>;

/** A share of the unknown spans, rounded half up, each subset equally likely (Kang, Zhang and Fu: half of the negatives). */
export function fraction({ share, draw }: FractionSettings): BlindSampler {
  return {
    name: "fraction",
    kind: "blind",
    choose: ({ candidates, rng, fixedRng }) =>
      sampleIndices(candidates, shareCount(share, candidates), draw === "static" ? fixedRng : rng),
  };
}

/** A share of a number, rounded half up. The small number keeps 0.35 · 10 = 3.4999999999999996 from becoming 3. */
function shareCount(share: number, candidates: number): number {
  return Math.min(candidates, Math.floor(share * candidates + 0.5 + 1e-9));
}
