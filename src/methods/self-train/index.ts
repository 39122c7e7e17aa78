import { z } from "zod";
import { type Head, heads } from "../../heads/index.ts";
import { builtInSchema, type Prepared, type Settings, type Stage, type StageContext } from "../../training/index.ts";
import { own } from "../../util/own.ts";
import { keyOf } from "../../util/random.ts";
import { ce } from "../ce.ts";
import type { Method } from "../method.ts";
import { nrces } from "../nrces.ts";
import { topNeg } from "../top-neg.ts";
import { uniform } from "../uniform.ts";
import { type RelabelCounts, relabel } from "./relabel.ts";
import { opinions, teachingOf } from "./teaching.ts";

const share = z.number().min(0).max(1);
const teachers = { ce, uniform, "top-neg": topNeg, nrces };

export const selfTrainSettings = z.strictObject({
  /** The method of the teachers; `auto` is `uniform` for spans and `ce` for heads that train all their items. */
  teacher: z.enum(["auto", "ce", "uniform", "top-neg", "nrces"]).default("auto"),
  /** Every sentence is relabelled by a model that was trained on the other folds; 1 is a teacher that has seen it, for comparison. */
  folds: z.int().min(1).default(3),
  /** How many teachers judge a sentence: so many cross-fits, each with folds and seeds of its own, are averaged. */
  repeats: z.int().min(1).default(1),
  /** Epochs of each teacher; `half` of the student's unless given: late ones learn the silence by heart. */
  epochs: z.union([z.literal("half"), z.int().min(1)]).default("half"),
  /** Evaluations on dev without a better result after which a teacher stops, with its best state; 0 trains on to the last. */
  patience: z.int().min(0).default(0),
  /** How often teachers are trained, each time on the labels that the last ones made. */
  rounds: z.int().min(1).default(1),
  /** A given label stays when the teachers give it at least this probability; 0 keeps them all. */
  keep: share.default(0.5),
  /** A given label that does not stay gives way to what has at least this probability; 0 believes the teachers. */
  sure: share.default(0),
  /** Silence is no entity when that has at least this probability. Leaving doubtful text out leaves out hard negatives. */
  outside: share.default(0),
  /** Silence becomes an entity that the teachers predict with at least this probability. */
  entity: share.default(0),
});
export type SelfTrainSettings = z.output<typeof selfTrainSettings>;
type Complete = Settings & { readonly selfTrain: SelfTrainSettings };

/**
 * Teachers that have not seen a sentence say what its labels should be; a student learns from these. Their decision is
 * shifted first, or their silence would teach silence.
 */
export const selfTrain: Method<{ readonly selfTrain: SelfTrainSettings }> = {
  name: "self-train",
  description: "cross-fitted teachers complete and mend the labels, a student learns from them",
  settings: { sampler: "all", objective: "cross-entropy", decode: { shift: "by-type" } },
  usesUnlabelled: true,
  sections: { selfTrain: selfTrainSettings.prefault({}) },
  stages(settings: Complete) {
    const { rounds, repeats } = settings.selfTrain;
    const stages: Stage[] = [];
    for (let round = 1; round <= rounds; round++)
      for (let repeat = 1; repeat <= repeats; repeat++) stages.push(teaching(settings, round, repeat));
    return [...stages, { name: "student", settings, prepare: (context) => newLabels(context, settings, rounds) }];
  },
};

/** A cross-fit of a round; from the second on it learns from the labels of the one before. */
function teaching(settings: Complete, round: number, repeat: number): Stage {
  const { teacher, folds, epochs, patience } = settings.selfTrain;
  const name = teacher === "auto" ? (own<Head>(heads, settings.head.name)?.trainsAll ? "ce" : "uniform") : teacher;
  const { selfTrain: _, ...base } = settings;
  const complete = builtInSchema.parse({
    ...base,
    // The labels of a round leave out what nobody is sure of: silence may be trusted from then on.
    ...(round === 1 ? teachers[name].settings : {}),
    epochs: epochs === "half" ? Math.ceil(settings.epochs / 2) : epochs,
    patience,
    keep: patience > 0 ? "best" : "last",
    seed: keyOf(settings.seed, `teacher ${round}`, ...(repeat > 1 ? [repeat] : [])),
  });
  const stage = { name: stageName(round, repeat), settings: complete, folds };
  return round === 1 ? stage : { ...stage, prepare: (context) => newLabels(context, settings, round - 1) };
}

function stageName(round: number, repeat: number): string {
  return repeat === 1 ? `teachers-${round}` : `teachers-${round}-${repeat}`;
}

/** What the teachers of a round make of the labels that the run was given. */
async function newLabels({ data, outOfFold }: StageContext, { selfTrain }: Complete, round: number): Promise<Prepared> {
  const names = Array.from({ length: selfTrain.repeats }, (_, repeat) => stageName(round, repeat + 1));
  const fits = names.map((name) => outOfFold(name));
  const counts: RelabelCounts = { kept: 0, replaced: 0, completed: 0, leftOut: 0 };
  const judged = opinions(fits);
  const given = [...data.train, ...(data.unlabelled ?? [])];
  const sentences = given.map((sentence, i) => relabel(sentence, teachingOf(judged[i]!, fits[0]!), selfTrain, counts));
  const { kept, replaced, completed, leftOut } = counts;
  return {
    adjustments: [],
    train: { sentences, file: `labels-${round}.jsonl` },
    summary: `round ${round}: ${kept} labels kept, ${replaced} replaced, ${completed} added, ${leftOut} spans or tokens left out`,
    facts: { ...counts },
  };
}
