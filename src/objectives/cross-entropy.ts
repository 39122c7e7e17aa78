import { z } from "zod";
import {
  add,
  div,
  greater,
  logSoftmax,
  logSumExp,
  mul,
  neg,
  oneHot,
  reshape,
  sub,
  sum,
  type Tensor,
  where,
} from "../tensor/index.ts";
import type { Objective, Reduction, Scored } from "./objective.ts";

/** How the losses of the items become one number. */
export const reduction = z.enum(["mean", "sum"]).default("mean");

export const crossEntropySettings = z.strictObject({
  /** The loss of a batch is the mean over its items, or their sum. */
  reduction,
});

/** −log p of what is allowed, or the cross-entropy with a teacher's shares, over all items that train. */
export function crossEntropy({ reduction: how }: { readonly reduction: Reduction }): Objective {
  return {
    name: "cross-entropy",
    reduction: how,
    loss: (scored) => reduce(itemLosses(scored), scored.weights, how),
  };
}

/**
 * What each item costs, `[batch, items]`: −log Σ p over the allowed labels, which for one label is −log p of it; where
 * there is a target, the cross-entropy with it.
 */
export function itemLosses(scored: Pick<Scored, "logits" | "labels" | "allowed" | "targets">): Tensor {
  const { logits, allowed, targets } = scored;
  const hard = allowed ? allowedLosses(logits, allowed) : negativeLogLikelihood(scored);
  return targets ? softened(hard, logits, targets) : hard;
}

/** The cross-entropy with targets where there are some, elsewhere the given losses: `[batch, items]`. */
export function softened(losses: Tensor, logits: Tensor, targets: Tensor): Tensor {
  const soft = neg(sum(mul(logSoftmax(logits), targets), { axes: -1 }));
  return where(greater(sum(targets, { axes: -1 }), 0.5), soft, losses);
}

/** −log p of the label of each item: `[batch, items]`. */
export function negativeLogLikelihood({ logits, labels }: Pick<Scored, "logits" | "labels">): Tensor {
  const chosen = oneHot(labels, logits.shape.at(-1) as number);
  return neg(sum(mul(logSoftmax(logits), chosen), { axes: -1 }));
}

/** Lowers a logit so far that exp of the difference is 0. */
const barred = -1e4;

/** −log Σ p(allowed): `[batch, items]`. Padding allows nothing, and costs some number that weighs nothing. */
export function allowedLosses(logits: Tensor, allowed: Tensor): Tensor {
  const some = logSumExp(add(logits, mul(sub(1, allowed), barred)), { axes: -1 });
  return sub(logSumExp(logits, { axes: -1 }), some);
}

/** 1 for items that have just one label, `[batch, items]`; the others are restricted, or have a target. */
export function hasLabel({
  labels,
  allowed,
  targets,
}: Pick<Scored, "labels" | "allowed" | "targets">): Tensor | undefined {
  const flags = (test: Tensor): Tensor => reshape(where(test, 1, 0), labels.shape);
  const one = allowed && flags(greater(1.5, sum(allowed, { axes: -1 })));
  const hard = targets && flags(greater(0.5, sum(targets, { axes: -1 })));
  return one && hard ? mul(one, hard) : (one ?? hard);
}

/** The weighted sum, or mean; 0 where nothing has weight. */
export function reduce(losses: Tensor, weights: Tensor, how: Reduction): Tensor {
  const total = sum(mul(losses, weights));
  return how === "sum" ? total : div(total, add(sum(weights), 1e-9));
}
