import { z } from "zod";
import { builtInSchema, type Prepared, type Settings, type Stage, type StageContext } from "../../training/index.ts";
import { InputError } from "../../util/errors.ts";
import { keyOf } from "../../util/random.ts";
import type { Method } from "../method.ts";
import { changedLabels, completions, hardLabels, softTargets } from "./completions.ts";

export const completionSettings = z.strictObject({
  /** What the tags of open tokens become: `hard`, the best sequence; `soft`, the share of each tag. */
  kind: z.enum(["soft", "hard"]).default("hard"),
  /** Parts of the sentences; each is completed by a model that was trained on the others. */
  folds: z.int().min(2).default(2),
  /** How often the tags are completed at most. */
  rounds: z.int().min(1).default(3),
  /** Rounds end when no larger share of the open tokens has another tag than a round before. */
  settle: z.number().min(0).max(1).default(0.01),
  /** Epochs of each round's models; `half` of those of the last training unless given, or `all`. */
  epochs: z.union([z.enum(["half", "all"]), z.int().min(1)]).default("half"),
});
export type CompletionSettings = z.output<typeof completionSettings>;
type Complete = Settings & { readonly completion: CompletionSettings };

/** What paper and code share: plain gradient descent on sums over ten short sentences, and models that are not shifted. */
const published = {
  objective: { reduction: "sum" },
  optimiser: "sgd",
  rate: 0.01,
  schedule: "constant",
  warmup: 0,
  decay: 0,
  batchTokens: 150,
  epochs: 100,
  decode: { shift: 0 },
};
const publishedRounds = { rounds: 10, settle: 0, epochs: "all" };

/**
 * The weighted partial CRF (Jie et al. 2019): models that have not seen a sentence say what the tags of its open tokens
 * may be, with the labels that are given held fast; the first ones take silence for O, the next ones learn from these.
 * Their decision is shifted first unless that is switched off, or their silence would teach silence.
 */
export const weightedPartialCrf: Method<{ readonly completion: CompletionSettings }> = {
  name: "weighted-partial-crf",
  description: "cross-fitted CRFs complete the tags of unknown tokens, round by round",
  settings: {
    sampler: "all",
    objective: "cross-entropy",
    head: { name: "token", output: "crf" },
    decode: { shift: "auto" },
  },
  presets: {
    paper: { ...published, completion: { ...publishedRounds, kind: "soft" } },
    code: { ...published, completion: { ...publishedRounds, kind: "hard" } },
  },
  sections: { completion: completionSettings.prefault({}) },
  stages(settings: Complete) {
    const { head, completion } = settings;
    if (head.name !== "token" || head.output !== "crf")
      throw new InputError(
        `method weighted-partial-crf: completes sequences of tags, so head must be "token" with output=crf, got "${head.name}"${head.name === "token" ? ` with output=${head.output}` : ""}`,
      );
    const stages: Stage[] = [];
    for (let round = 1; round <= completion.rounds; round++) stages.push(roundOf(settings, round));
    const last = { ...settings, head: { ...head, unknown: "outside" as const } };
    return [...stages, { name: "train", settings: last, prepare: (context) => completed(context, settings) }];
  },
};

/** The cross-fit of a round; from the second on it learns from the tags of the one before. */
function roundOf(settings: Complete, round: number): Stage {
  const { completion, ...base } = settings;
  const { folds, epochs } = completion;
  const { head } = base;
  const own = builtInSchema.parse({
    ...base,
    ...(round > 1 && { head: { ...head, unknown: "outside" } }),
    epochs: epochs === "all" ? base.epochs : epochs === "half" ? Math.ceil(base.epochs / 2) : epochs,
    patience: 0,
    keep: "last",
    seed: keyOf(base.seed, `round ${round}`),
  });
  const stage = { name: stageName(round), settings: own, folds };
  return round === 1 ? stage : { ...stage, prepare: (context) => completed(context, settings) };
}

function stageName(round: number): string {
  return `round-${round}`;
}

/** What the latest round makes of the open tokens, and whether that is still news. */
async function completed({ data, fitted, outOfFold }: StageContext, { completion }: Complete): Promise<Prepared> {
  const round = fitted.length;
  const found = await completions(data.train, outOfFold(stageName(round)));
  const before = round > 1 ? await completions(data.train, outOfFold(stageName(round - 1))) : undefined;
  const { open, changed, entities } = changedLabels(found, before);
  const labels =
    completion.kind === "soft"
      ? { adjustments: softTargets(found) }
      : { adjustments: [], train: { sentences: hardLabels(data.train, found), file: `labels-${round}.jsonl` } };
  return {
    ...labels,
    summary: `round ${round}: ${entities} entities added; ${changed} of ${open} open tokens changed their tag`,
    facts: { round, openTokens: open, changedTokens: changed, addedEntities: entities },
    settled: round > 1 && changed <= completion.settle * open,
  };
}
