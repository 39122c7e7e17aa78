import { z } from "zod";
import { add, div, pow, sub, type Tensor } from "../tensor/index.ts";
import { InputError } from "../util/errors.ts";
import type { Scored } from "./objective.ts";

/** The share of each type among the items of which nobody spoke. */
export const classPriors = z.record(z.string(), z.number().min(0).lt(1)).default({});
export type ClassPriors = Readonly<z.output<typeof classPriors>>;

/** A type of which nothing is missing has to be learned all the same: its labels weigh as with this prior at least. */
export const leastPrior = z.number().min(0).lt(1).default(0.01);

/** Between cross-entropy (towards 0) and the mean absolute error (1, as published), which saturates early. */
export const boundedness = z.number().gt(0).max(1);

/** (1 − p^q) / q, a loss that is bounded by 1/q: 1 − p where q is 1. */
export function boundedLoss(p: Tensor, q: number): Tensor {
  // A probability that is 0 in float32 would have no gradient to come back by.
  return q === 1 ? sub(1, p) : div(sub(1, pow(add(p, 1e-9), q)), q);
}

/** The priors in the order of the labels, and what the annotation leaves open; refuses a head that cannot tell. */
export function openItems(
  name: string,
  { logits, open, types }: Pick<Scored, "logits" | "open" | "types">,
  priors: ClassPriors,
): { readonly open: NonNullable<Scored["open"]>; readonly priors: number[] } {
  if (!open || !types || logits.shape.at(-1) !== types.length + 1)
    throw new InputError(
      `objective ${name}: needs items with one label for each type, of which it is known whether anybody spoke (head=token with head.scheme=io and head.output=softmax)`,
    );
  const missing = types.filter((type) => priors[type] === undefined);
  if (missing.length > 0)
    throw new InputError(
      `objective ${name}: no prior of ${missing.join(", ")}: the share of its tokens among those without a label (objective.priors.${missing[0]}=0.03); the methods bnpu and conf-mpu estimate it`,
    );
  return { open, priors: types.map((type) => priors[type]!) };
}
