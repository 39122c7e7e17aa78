import { z } from "zod";
import {
  add,
  cast,
  constant,
  div,
  greater,
  logSumExp,
  mul,
  neg,
  oneHot,
  sigmoid,
  slice,
  sub,
  sum,
  type Tensor,
  unsqueeze,
  where,
} from "../tensor/index.ts";
import { boundedLoss, boundedness, classPriors, leastPrior, openItems } from "./class-priors.ts";
import type { Objective, Scored } from "./objective.ts";

export const bnpuSettings = z.strictObject({
  /** The share of each type among the tokens without a label, by its name. */
  priors: classPriors,
  /** Between cross-entropy (towards 0) and the mean absolute error (1, as published), which saturates early. */
  q: boundedness.default(0.4),
  /** The weight of the positives' own loss. */
  m: z.number().positive().default(1),
  /** The weight m is multiplied by the prior of the type, as Conf-MPU's code has it; m is then 25 to 62. */
  scaled: z.boolean().default(false),
  /** With `scaled`, the labels of a type weigh as with this prior at least; 0 as published, where a type with the prior 0 is not learned. */
  leastPrior,
  /** How strongly a step goes back that made the estimated loss of the negatives negative. */
  gamma: z.number().min(0).default(1),
  /** All types are one: an item is an entity or none. */
  merged: z.boolean().default(false),
});
export type BnpuSettings = z.output<typeof bnpuSettings>;

/**
 * Bounded non-negative positive-unlabelled risk (Peng et al. 2019): a yes or no for each type, p = σ(z_type − z_O), with a
 * bounded loss ℓ. Unlabelled items hold positives in the proportion π, so what these would cost as negatives is taken off
 * again: R⁻ = mean over U of ℓ(1 − p) − π · mean over P of ℓ(1 − p). A batch that makes R⁻ negative steps back by γ.
 */
export function bnpu(settings: BnpuSettings): Objective {
  return {
    name: "bnpu",
    reduction: "sum",
    wantsOpen: true,
    loss(scored) {
      const { open, priors } = openItems("bnpu", scored, settings.priors);
      const answers = settings.merged ? merged(scored, open) : byType(scored, open);
      const shares = settings.merged
        ? [
            Math.min(
              1,
              priors.reduce((a, b) => a + b, 0),
            ),
          ]
        : priors;
      return risk(answers, scored.weights, shares, settings);
    },
  };
}

/** Yes-or-no questions, one for each type or one for all: `[batch, items, questions]` each. */
interface Answers {
  /** The probability of yes. */
  readonly yes: Tensor;
  /** 1 where the label says yes. */
  readonly positive: Tensor;
  /** 1 where nobody said, or an item was labelled with another type. */
  readonly unlabelled: Tensor;
  /** 1 where the annotation says no. */
  readonly negative: Tensor;
}

function byType({ logits, labels }: Scored, open: Tensor): Answers {
  const size = logits.shape.at(-1) as number;
  const types = (x: Tensor): Tensor => slice(x, -1, 1, size);
  const yes = sigmoid(sub(types(logits), slice(logits, -1, 0, 1)));
  const labelled = unsqueeze(cast(greater(labels, 0), "float32"), -1);
  return answers(yes, types(oneHot(labels, size)), types(open), labelled);
}

function merged({ logits, labels }: Scored, open: Tensor): Answers {
  const size = logits.shape.at(-1) as number;
  const some = logSumExp(slice(logits, -1, 1, size), { axes: -1, keep: true });
  const labelled = unsqueeze(cast(greater(labels, 0), "float32"), -1);
  const anyOpen = cast(greater(sum(slice(open, -1, 1, size), { axes: -1, keep: true }), 0), "float32");
  return answers(sigmoid(sub(some, slice(logits, -1, 0, 1))), labelled, anyOpen, labelled);
}

function answers(yes: Tensor, positive: Tensor, open: Tensor, labelled: Tensor): Answers {
  const other = sub(1, positive);
  // As published, what is labelled with another type is unlabelled; only what the annotation rules out is negative.
  const undecided = where(greater(add(open, labelled), 0.5), 1, 0);
  return { yes, positive, unlabelled: mul(other, undecided), negative: mul(other, sub(1, undecided)) };
}

/** The risks of all questions, added up; sets that are empty take their terms with them. */
function risk(
  { yes, positive, unlabelled, negative }: Answers,
  weights: Tensor,
  priors: readonly number[],
  { q, m, scaled, leastPrior, gamma }: BnpuSettings,
): Tensor {
  const [asYes, asNo] = [boundedLoss(yes, q), boundedLoss(sub(1, yes), q)];
  const [p, u, n] = [positive, unlabelled, negative].map((set) => setOf(set, asNo, weights)) as [Found, Found, Found];
  const missed = setOf(positive, asYes, weights).mean;
  const prior = constant(priors, [priors.length]);
  const others = add(add(u.count, n.count), 1e-9);
  const estimated = mul(div(u.count, others), sub(u.mean, mul(prior, p.mean)));
  const forward = add(
    mul(
      missed,
      scaled
        ? constant(
            priors.map((each) => m * Math.max(each, leastPrior)),
            [priors.length],
          )
        : m,
    ),
    estimated,
  );
  const step = where(greater(0, estimated), neg(mul(estimated, gamma)), forward);
  return sum(add(step, mul(div(n.count, others), n.mean)));
}

/** A set of items for each question: how many there are, and the mean of their losses, 0 where there are none. */
interface Found {
  readonly count: Tensor;
  readonly mean: Tensor;
}

function setOf(set: Tensor, losses: Tensor, weights: Tensor): Found {
  const members = mul(set, unsqueeze(weights, -1));
  const count = sum(members, { axes: [0, 1] });
  return { count, mean: div(sum(mul(members, losses), { axes: [0, 1] }), add(count, 1e-9)) };
}
