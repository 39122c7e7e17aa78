import { z } from "zod";
import type { Settings, TrainingData } from "../../training/index.ts";
import { InputError } from "../../util/errors.ts";
import { priorSources, priorsOf } from "./priors.ts";

/** Where class priors come from that are not given. */
export const priorFrom = z.enum(priorSources).default("estimate");

/** Settings with a prior for each type of the data: training must not guess them, nor take them from gold in silence. */
export function withPriors<S extends Settings & { readonly pu: { readonly from: z.output<typeof priorFrom> } }>(
  settings: S,
  data: TrainingData,
  name: "bnpu" | "conf-mpu",
): S {
  const risk = riskOf(settings, name);
  return { ...settings, objective: { ...risk, priors: priorsOf(data, settings.pu.from, risk.priors) } };
}

/** The objective of settings, which must be the method's own: no other knows class priors. */
export function riskOf<N extends "bnpu" | "conf-mpu">(
  { method, objective }: Settings,
  name: N,
): Extract<Settings["objective"], { readonly name: N }> {
  if (objective.name === name) return objective as Extract<Settings["objective"], { readonly name: N }>;
  throw new InputError(`method ${method}: objective must be "${name}", got "${objective.name}"`);
}

/** Refuses what has no label of its own for each type. */
export function refuseOtherHeads({ method, head }: Settings): void {
  if (head.name === "token" && head.scheme === "io" && head.output === "softmax") return;
  const got = head.name === "token" ? `scheme=${head.scheme} and output=${head.output}` : `head "${head.name}"`;
  throw new InputError(
    `method ${method}: asks of each token which type it has, so head must be "token" with scheme=io and output=softmax, got ${got}`,
  );
}
