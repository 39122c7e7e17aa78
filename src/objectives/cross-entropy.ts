import { z } from "zod";
import { add, div, logSoftmax, mul, neg, oneHot, sum, type Tensor } from "../tensor/index.ts";
import type { Objective, Scored } from "./objective.ts";

/** How the losses of the items become one number. */
export const reduction = z.enum(["mean", "sum"]).default("mean");
export type Reduction = z.output<typeof reduction>;

export const crossEntropySettings = z.strictObject({ name: z.literal("cross-entropy"), reduction });

/** −log p of the label, over all items that train. */
export function crossEntropy({ reduction: how }: { readonly reduction: Reduction }): Objective {
  return { name: "cross-entropy", loss: (scored) => reduce(negativeLogLikelihood(scored), scored.weights, how) };
}

/** −log p of the label of each item: `[batch, items]`. */
export function negativeLogLikelihood({ logits, labels }: Pick<Scored, "logits" | "labels">): Tensor {
  const chosen = oneHot(labels, logits.shape.at(-1) as number);
  return neg(sum(mul(logSoftmax(logits), chosen), { axes: -1 }));
}

/** The weighted sum, or mean; 0 where nothing has weight. */
export function reduce(losses: Tensor, weights: Tensor, how: Reduction): Tensor {
  const total = sum(mul(losses, weights));
  return how === "sum" ? total : div(total, add(sum(weights), 1e-9));
}
