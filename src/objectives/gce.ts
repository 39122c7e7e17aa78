import { z } from "zod";
import { div, exp, greater, logSoftmax, mul, neg, sub, sum, type Tensor, where } from "../tensor/index.ts";
import { itemLosses, reduce, reduction } from "./cross-entropy.ts";
import type { Objective, Scored } from "./objective.ts";

export const generalisedSettings = z.strictObject({
  /** Between cross-entropy (towards 0) and the mean absolute error (1), which wrong labels move least. */
  q: z.number().gt(0).max(1).default(0.7),
  /** The loss of a batch is the mean over its items, or their sum. */
  reduction,
});

/**
 * Generalised cross-entropy (Zhang and Sabuncu 2018): (1 − p^q) / q, where p is the probability of what is allowed. It is
 * bounded by 1/q, so that a wrong label cannot pull without end. With a teacher's shares, the mean over them.
 */
export function generalisedCrossEntropy({ q, reduction: how }: z.output<typeof generalisedSettings>): Objective {
  return {
    name: "gce",
    reduction: how,
    loss: (scored) => reduce(losses(scored, q), scored.weights, how),
  };
}

function losses(scored: Scored, q: number): Tensor {
  const { targets, logits, ...rest } = scored;
  const bounded = (logProbs: Tensor): Tensor => div(sub(1, exp(mul(logProbs, q))), q);
  const hard = bounded(neg(itemLosses({ ...rest, logits })));
  if (!targets) return hard;
  const soft = sum(mul(bounded(logSoftmax(logits)), targets), { axes: -1 });
  return where(greater(sum(targets, { axes: -1 }), 0.5), soft, hard);
}
