import { z } from "zod";
import { entitiesOf } from "../inference/index.ts";
import type { Prepared, Settings, Stage, StageContext } from "../training/index.ts";
import { keyOf } from "../util/random.ts";
import type { Method } from "./method.ts";
import { adaptedLabels } from "./pu/adapted-labels.ts";
import { describePriors, type Priors, priorsAfter, priorsOf } from "./pu/priors.ts";
import { priorFrom, refuseOtherHeads, riskOf, withPriors } from "./pu/settings.ts";

export const puSettings = z.strictObject({
  /**
   * Where class priors come from that `objective.priors` does not give: the `estimate` of `check`, a `sample` (the
   * training text that is declared complete), or the labels of `dev`.
   */
  from: priorFrom,
  /** How often phrases that are found wherever they stand join the labels before the last training. */
  rounds: z.int().min(0).default(0),
  /** Such a phrase is found at least so often. */
  count: z.int().min(1).default(3),
  /** Such a phrase has at most so many words. */
  words: z.int().min(1).default(5),
});
export type PuSettings = z.output<typeof puSettings>;
type Complete = Settings & { readonly pu: PuSettings };

/**
 * Bounded non-negative positive-unlabelled learning (Peng et al. 2019): a yes or no for each type and token over one
 * encoder, by an unbiased estimate of the risk from labelled and unlabelled tokens; AdaPU with `pu.rounds`.
 */
export const bnpu: Method<{ readonly pu: PuSettings }> = {
  name: "bnpu",
  description: "a token classifier by positive and unlabelled tokens, told how frequent each type is",
  settings: {
    sampler: "all",
    objective: "bnpu",
    head: { name: "token", scheme: "io", output: "softmax" },
  },
  presets: {
    paper: { objective: { q: 1, m: 0.3 }, batchTokens: 1500, rate: 1e-4, schedule: "constant", warmup: 0, decay: 0 },
    code: {
      objective: { q: 1, m: 28, scaled: true, leastPrior: 0 },
      batchTokens: 1500,
      rate: 5e-4,
      schedule: "constant",
      warmup: 0,
      decay: 0,
    },
  },
  sections: { pu: puSettings.prefault({}) },
  adapt(settings, data) {
    const adapted = withPriors(settings, data, "bnpu");
    // The labels of each round have priors of their own: the stages fill them in, and must know which were given.
    return settings.pu.rounds === 0 ? adapted : settings;
  },
  stages(settings: Complete) {
    refuseOtherHeads(settings);
    const { rounds } = settings.pu;
    const stages: Stage[] = [];
    for (let round = 1; round <= rounds; round++) {
      const own = { ...settings, seed: keyOf(settings.seed, `round ${round}`) };
      stages.push({
        name: stageName(round),
        settings: own,
        prepare: (context) => labelsOf(context, settings, round - 1),
      });
    }
    return [...stages, { name: "train", settings, prepare: (context) => labelsOf(context, settings, rounds) }];
  },
};

function stageName(round: number): string {
  return `round-${round}`;
}

/** The labels as they are given, or with those that the model of a round adds; and the priors that go with them. */
async function labelsOf({ data, scorer: open }: StageContext, settings: Complete, round: number): Promise<Prepared> {
  const { pu, decode } = settings;
  const { priors: given } = riskOf(settings, "bnpu");
  const first = pu.rounds === 0 ? given : priorsOf(data, pu.from, given);
  if (round === 0) return { adjustments: [], ...told(first, pu) };
  const scorer = await open(stageName(round));
  try {
    const predicted = [];
    for await (const scores of scorer.scores(data.train))
      predicted.push(entitiesOf(scores, scorer, { ...decode, shift: 0 }));
    const { sentences, phrases, labels } = adaptedLabels(data.train, predicted, pu);
    const { summary, facts, ...rest } = told(priorsAfter(first, given, data.train, sentences), pu);
    return {
      ...rest,
      adjustments: [],
      train: { sentences, file: `labels-${round}.jsonl` },
      summary: `round ${round}: ${phrases} phrases are found wherever they stand; they make ${labels} labels; ${summary}`,
      facts: { ...facts, phrases, labels },
    };
  } finally {
    await scorer.dispose();
    await scorer.model.encoder.dispose?.();
  }
}

/** Priors as settings of a stage, in words and as figures. */
function told(priors: Priors, { from }: PuSettings): Pick<Prepared, "settings" | "summary" | "facts"> {
  return { settings: { objective: { priors } }, summary: describePriors(priors, from), facts: priors };
}
