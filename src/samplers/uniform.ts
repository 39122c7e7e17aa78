import { z } from "zod";
import { sampleIndices } from "../util/random.ts";
import { drawCount } from "../util/span-counts.ts";
import type { BlindSampler } from "./sampler.ts";

export const uniformSettings = z.strictObject({
  /** λ: negatives for each token of a sentence. */
  rate: z.number().min(0).default(0.35),
  /** ⌈λn⌉ as in the paper, or ⌊λn⌋ + 1 as in its code. */
  count: z.enum(["ceil", "floor+1"]).default("ceil"),
});
export type UniformSettings = z.output<typeof uniformSettings>;

/** ⌈λn⌉ unknown spans, each subset equally likely, drawn anew at every visit (Li, Liu and Shi: negative sampling). */
export function uniform({ rate, count }: UniformSettings): BlindSampler {
  return {
    name: "uniform",
    kind: "blind",
    choose: ({ length, candidates, rng }) => sampleIndices(candidates, drawCount(rate, length, count), rng),
  };
}
