import { z } from "zod";
import { type Adjustment, tokenStates } from "../heads/index.ts";
import { itemState, typeSets } from "../text/index.ts";
import { builtInSchema, type Prepared, type Settings, type Stage, type StageContext } from "../training/index.ts";
import { keyOf } from "../util/random.ts";
import type { Method } from "./method.ts";
import { describePriors } from "./pu/priors.ts";
import { priorFrom, refuseOtherHeads, riskOf, withPriors } from "./pu/settings.ts";

export const confidenceSettings = z.strictObject({
  /**
   * Where class priors come from that `objective.priors` does not give: the `estimate` of `check`, a `sample` (the
   * training text that is declared complete), or the labels of `dev`.
   */
  from: priorFrom,
  /** Epochs of the first training, which only tells entities from other text; `same` as the second's unless given. */
  epochs: z.union([z.literal("same"), z.int().min(1)]).default("same"),
  /** The weight of the positives' own loss in the first training. */
  m: z.number().positive().default(1),
  /** That weight is multiplied by the prior of an entity, as in the authors' code; m is then 25 to 62. */
  scaled: z.boolean().default(false),
});
export type ConfidenceSettings = z.output<typeof confidenceSettings>;
type Complete = Settings & { readonly pu: ConfidenceSettings };

/** What paper and code share: bounded losses, no floor under the priors, and a first training weighted as the authors' bnPU is. */
const published = {
  batchTokens: 1500,
  rate: 5e-4,
  schedule: "constant",
  warmup: 0,
  decay: 0,
  pu: { m: 28, scaled: true },
} as const;

/**
 * Conf-MPU (Zhou et al. 2022): a first model says how sure it is that a token is part of an entity, by positive and
 * unlabelled tokens of all types together; the second learns the types, and takes no likely entity for a negative.
 */
export const confMpu: Method<{ readonly pu: ConfidenceSettings }> = {
  name: "conf-mpu",
  description: "as bnpu in two steps: entity or not first, then types where unlabelled tokens look like none",
  settings: {
    sampler: "all",
    objective: "conf-mpu",
    head: { name: "token", scheme: "io", output: "softmax" },
  },
  presets: {
    paper: { ...published, objective: { q: 1, leastPrior: 0 } },
    code: { ...published, objective: { q: 1, leastPrior: 0, over: "chosen" } },
  },
  sections: { pu: confidenceSettings.prefault({}) },
  adapt: (settings, data) => withPriors(settings, data, "conf-mpu"),
  stages(settings: Complete) {
    refuseOtherHeads(settings);
    return [entityStage(settings), { name: "train", settings, prepare: (context) => confidences(context, settings) }];
  },
};

/** The training that tells entities from other text. */
function entityStage(settings: Complete): Stage {
  const { pu, ...base } = settings;
  const { q, priors, leastPrior } = riskOf(settings, "conf-mpu");
  const own = builtInSchema.parse({
    ...base,
    objective: { name: "bnpu", merged: true, q, m: pu.m, scaled: pu.scaled, leastPrior, priors },
    epochs: pu.epochs === "same" ? base.epochs : pu.epochs,
    patience: 0,
    evaluations: 1,
    seed: keyOf(base.seed, "entities"),
  });
  return {
    name: "entities",
    settings: own,
    withoutDev: true,
    prepare: async () => ({ adjustments: [], summary: describePriors(priors, pu.from), facts: priors }),
  };
}

/** The confidence that a token is part of an entity, at every token that trains: a target that leaves the type open. */
async function confidences({ data, scorer: open }: StageContext, settings: Complete): Promise<Prepared> {
  const { threshold } = riskOf(settings, "conf-mpu");
  const scorer = await open("entities");
  const { labels, types } = scorer.model;
  const sets = typeSets(types);
  const adjustments: Adjustment[] = [];
  let [sentence, sure] = [0, 0];
  try {
    for await (const { logProbs } of scorer.scores(data.train)) {
      for (const [token, state] of tokenStates(data.train[sentence]!, sets).states.entries()) {
        if (state === itemState.excluded) continue;
        const confidence = Number((1 - Math.exp(logProbs[token * labels.length]!)).toFixed(5));
        const target = labels.map((_, label) => (label === 0 ? 1 - confidence : confidence / types.length));
        adjustments.push({ sentence, start: token, end: token + 1, weight: 1, target });
        if (state <= 0 && confidence > threshold) sure++;
      }
      sentence++;
    }
  } finally {
    await scorer.dispose();
    await scorer.model.encoder.dispose?.();
  }
  return {
    adjustments,
    summary: `${sure} tokens without a label look like parts of entities and are no negatives`,
    facts: { likelyTokens: sure, tokens: adjustments.length },
  };
}
