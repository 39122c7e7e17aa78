import { z } from "zod";
import type { Settings, TrainingData } from "../../training/index.ts";
import { InputError } from "../../util/errors.ts";
import { type Priors, priorSources, priorsOf } from "./priors.ts";

/** Where class priors come from that are not given. */
export const priorFrom = z.enum(priorSources).default("estimate");

/** Settings with a prior for each type of the data: training must not guess them, nor take them from gold in silence. */
export function withPriors<S extends Settings & { readonly pu: { readonly from: z.output<typeof priorFrom> } }>(
  settings: S,
  data: TrainingData,
): S {
  const { objective, pu } = settings;
  const priors = priorsOf(data, pu.from, riskOf(settings).priors);
  return { ...settings, objective: { ...objective, priors } };
}

/** The objective of settings, which must be one for positive and unlabelled tokens. */
export function riskOf({ method, objective }: Settings): { readonly priors: Priors; readonly q: number } {
  if ("priors" in objective) return objective;
  throw new InputError(
    `method ${method}: objective must be one with class priors (bnpu, conf-mpu), got "${objective.name}"`,
  );
}

/** Refuses what has no label of its own for each type. */
export function refuseOtherHeads({ method, head }: Settings): void {
  if (head.name === "token" && head.scheme === "io" && head.output === "softmax") return;
  const got = head.name === "token" ? `scheme=${head.scheme} and output=${head.output}` : `head "${head.name}"`;
  throw new InputError(
    `method ${method}: asks of each token which type it has, so head must be "token" with scheme=io and output=softmax, got ${got}`,
  );
}
