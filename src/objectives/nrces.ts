import { z } from "zod";
import {
  add,
  cast,
  div,
  exp,
  greater,
  mul,
  neg,
  type Operand,
  oneHot,
  sigmoid,
  sub,
  sum,
  where,
} from "../tensor/index.ts";
import { hasLabel, itemLosses, negativeLogLikelihood, reduce, reduction } from "./cross-entropy.ts";
import type { Objective, Scored } from "./objective.ts";

export const nrcesSettings = z.strictObject({
  /** How slowly negatives go over from cross-entropy to the bounded loss, in epochs: small for heavy gaps. */
  w: z.number().positive().default(5),
  /**
   * The bounded loss of a negative: 1 − σ(z_O), which still asks for O; σ(z_O), as the paper prints it, which pushes O
   * down; or nothing, so that the weight of negatives only fades.
   */
  sign: z.enum(["minus", "plus", "none"]).default("minus"),
  /**
   * What is taken away, for comparison. With L = β·CE + (1 − β)·S: `separation` trains all spans with L,
   * `negative-indicator` positives with CE + L, `positive-indicator` negatives with CE + L.
   */
  without: z.enum(["nothing", "separation", "negative-indicator", "positive-indicator"]).default("nothing"),
  /** The loss of a batch is the mean over its items, or their sum. */
  reduction,
});
export type NrcesSettings = z.output<typeof nrcesSettings>;

/**
 * Cross-entropy for positives; for negatives a mixture that moves, by β = exp(−epochs / w), from cross-entropy to a loss
 * with a bounded gradient, which false negatives cannot dominate (Kang, Zhang and Fu: NRCES).
 */
export function nrces({ w, sign, without, reduction: how }: NrcesSettings): Objective {
  return {
    name: "nrces",
    reduction: how,
    loss(scored) {
      const { labels, weights, epoch } = scored;
      const plain = negativeLogLikelihood(scored);
      const beta = exp(neg(div(epoch, w)));
      const robust = add(mul(beta, plain), mul(sub(1, beta), bounded(scored, sign)));
      const positive = cast(greater(labels, 0), "float32");
      const negative = sub(1, positive);
      const shares: Record<NrcesSettings["without"], readonly [ofPlain: Operand, ofRobust: Operand]> = {
        nothing: [positive, negative],
        separation: [0, 1],
        "negative-indicator": [positive, 1],
        "positive-indicator": [1, negative],
      };
      const [ofPlain, ofRobust] = shares[without];
      const losses = add(mul(plain, ofPlain), mul(robust, ofRobust));
      // Restricted items and those with a target are neither sure entities nor doubtful negatives.
      const labelled = hasLabel(scored);
      return reduce(labelled ? where(greater(labelled, 0.5), losses, itemLosses(scored)) : losses, weights, how);
    },
  };
}

/** The loss of the label's own logit that cannot grow beyond 1: `[batch, items]`. */
function bounded({ logits, labels }: Scored, sign: NrcesSettings["sign"]): Operand {
  if (sign === "none") return 0;
  const own = sum(mul(logits, oneHot(labels, logits.shape.at(-1) as number)), { axes: -1 });
  return sigmoid(sign === "plus" ? own : neg(own));
}
