import { z } from "zod";
import {
  add,
  div,
  exp,
  log,
  max,
  mul,
  neg,
  pow,
  relu,
  reshape,
  slice,
  sqrt,
  sub,
  sum,
  type Tensor,
} from "../tensor/index.ts";
import { drawCount } from "../util/span-counts.ts";
import type { ScoredSampler } from "./sampler.ts";
import { uniformSettings } from "./uniform.ts";

export const weightedSettings = uniformSettings.extend({
  /** µ: how strongly spans that look like entities are spared. */
  mu: z.number().min(0).default(8),
  /**
   * The labels whose probability speaks against a negative. With "not an entity" among them, as the paper prints it, a
   * confidently recognised entity weighs as much as an easy negative, so that reading is for comparison only.
   */
  maxOver: z.enum(["entities", "all"]).default("entities"),
});
export type WeightedSettings = z.output<typeof weightedSettings>;

/**
 * ⌈λn⌉ unknown spans, drawn in proportion to exp(r / T): r is the model's uncertainty about the span times how little it
 * looks like an entity, T falls from √C to 1 over C epochs (Li, Liu and Shi). Draws without replacement are the largest
 * of log-weights with Gumbel noise.
 */
export function weighted({ rate, count, mu, maxOver }: WeightedSettings): ScoredSampler {
  return {
    name: "weighted",
    kind: "scored",
    count: ({ length, candidates }) => Math.min(candidates, drawCount(rate, length, count)),
    priority({ logProbs, noise, epoch, epochs }) {
      const temperature = sqrt(sub(epochs, epoch));
      const gumbel = neg(log(neg(log(noise))));
      return add(div(negativeness(logProbs, { mu, maxOver }), temperature), gumbel);
    },
  };
}

/** r = u·(1 + v)^µ with the entropy u and v = p(O) − the largest probability of a label: `[…, labels]` → `[…]`. */
export function negativeness(logProbs: Tensor, { mu, maxOver }: Pick<WeightedSettings, "mu" | "maxOver">): Tensor {
  const probs = exp(logProbs);
  const labels = probs.shape.at(-1) as number;
  // p·log p is 0 where p vanished; log p is finite there, as log-softmax gives it.
  const entropy = relu(neg(sum(mul(probs, logProbs), { axes: -1 })));
  const outside = reshape(slice(probs, -1, 0, 1), entropy.shape);
  const rival = max(slice(probs, -1, maxOver === "all" ? 0 : 1, labels), { axes: -1 });
  return mul(entropy, pow(relu(add(sub(outside, rival), 1)), mu));
}
