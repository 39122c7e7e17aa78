import { z } from "zod";
import {
  add,
  cast,
  constant,
  div,
  exp,
  greater,
  logSoftmax,
  mul,
  oneHot,
  reshape,
  slice,
  sub,
  sum,
  type Tensor,
  unsqueeze,
  where,
} from "../tensor/index.ts";
import { InputError } from "../util/errors.ts";
import { boundedLoss, boundedness, classPriors, leastPrior, openItems } from "./class-priors.ts";
import type { Objective } from "./objective.ts";

export const confMpuSettings = z.strictObject({
  /** The share of each type among the tokens without a label, by its name. */
  priors: classPriors,
  /** Between cross-entropy (towards 0) and the mean absolute error (1, as published), which saturates early. */
  q: boundedness.default(0.4),
  /** The weight of what labelled tokens say. */
  m: z.number().positive().default(15),
  /** The labels of a type weigh as with this prior at least; 0 as published, where a type with the prior 0 is not learned. */
  leastPrior,
  /** A token that is an entity with more than this confidence is no negative. */
  threshold: z.number().gt(0).lt(1).default(0.5),
  /** Means over a set with a threshold: `set` divides by all of it, `chosen` by those that pass. */
  over: z.enum(["set", "chosen"]).default("set"),
});
export type ConfMpuSettings = z.output<typeof confMpuSettings>;

/** No confidence divides by less. */
const leastConfidence = 1e-3;

/**
 * Multi-class positive-unlabelled risk with confidences (Zhou et al. 2022). λ, the confidence of an earlier model that an
 * item is an entity, comes as a teacher's target: 1 − its share of O. Unlabelled items with λ up to τ are negatives; the
 * others' part of the risk is estimated from labelled items, weighted with 1/λ.
 */
export function confMpu({ priors: given, q, m, leastPrior, threshold, over }: ConfMpuSettings): Objective {
  return {
    name: "conf-mpu",
    reduction: "sum",
    wantsOpen: true,
    loss(scored) {
      const { logits, labels, weights, targets } = scored;
      const { open, priors } = openItems("conf-mpu", scored, given);
      if (!targets)
        throw new InputError("objective conf-mpu: needs the confidences of an earlier model; use the method conf-mpu");
      const size = priors.length + 1;
      const column = (x: Tensor): Tensor => reshape(slice(x, -1, 0, 1), labels.shape);
      const p = exp(logSoftmax(logits));
      // Against a label, or against the labels that are left; with q = 1 the mean absolute error.
      const error = (share: Tensor): Tensor => mul(boundedLoss(share, q), 2 / size);
      const asOutside = error(column(p)); // [batch, items]
      const confidence = sub(1, column(targets));
      const isSure = cast(greater(confidence, threshold), "float32");
      const inverse = div(isSure, where(greater(confidence, leastConfidence), confidence, leastConfidence));

      const positive = mul(slice(oneHot(labels, size), -1, 1, size), unsqueeze(weights, -1)); // [batch, items, types]
      const mean = (values: Tensor, members: Tensor, counted = members): Tensor =>
        div(sum(mul(members, values), { axes: [0, 1] }), add(sum(counted, { axes: [0, 1] }), 1e-9)); // [types]
      const sure = mul(positive, unsqueeze(isSure, -1));
      const own = mean(error(slice(p, -1, 1, size)), positive);
      const returned = mean(unsqueeze(mul(asOutside, inverse), -1), positive, over === "set" ? positive : sure);
      const taken = mean(unsqueeze(asOutside, -1), positive);
      const vector = (values: readonly number[]): Tensor => constant(values, [values.length]);
      const learned = mul(vector(priors.map((prior) => Math.max(prior, leastPrior))), own);
      const labelled = sum(add(learned, mul(vector(priors), sub(returned, taken))));

      const silent = mul(weights, sub(1, cast(greater(labels, 0), "float32"))); // [batch, items]
      const unlabelled = mul(silent, cast(greater(sum(open, { axes: -1 }), 1.5), "float32"));
      const known = mul(silent, cast(greater(size - 0.5, sum(open, { axes: -1 })), "float32"));
      const counts = { unlabelled: sum(unlabelled), known: sum(known) };
      const others = add(add(counts.unlabelled, counts.known), 1e-9);
      const doubtless = mul(unlabelled, sub(1, isSure));
      const passing = over === "set" ? counts.unlabelled : sum(doubtless);
      const negatives = div(sum(mul(doubtless, asOutside)), add(passing, 1e-9));
      const ruledOut = sum(mul(known, error(sum(mul(p, open), { axes: -1 }))));
      return add(
        mul(where(greater(labelled, 0), labelled, 0), m),
        add(mul(div(counts.unlabelled, others), negatives), div(ruledOut, others)),
      );
    },
  };
}
