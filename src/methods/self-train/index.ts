import { manyAreWrong, wrongShare } from "../../evaluation/index.ts";
import type { Sentence } from "../../text/index.ts";
import type { OutOfFoldScores, Prepared, Settings, Stage, StageContext, TrainingData } from "../../training/index.ts";
import type { Method } from "../method.ts";
import { changedShare, type RelabelCounts, relabel } from "./relabel.ts";
import { type SelfTrainSettings, selfTrainSettings } from "./settings.ts";
import { roundName, teacherEpochs, teacherSettings } from "./teacher-settings.ts";
import { opinions, teachingOf } from "./teaching.ts";

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
  adapt(settings: Complete, data) {
    const { epochs, keep } = settings.selfTrain;
    const open = {
      ...(epochs === "auto" && { epochs: teacherEpochs(settings, data.dev.length > 0) }),
      ...(keep === "auto" && { keep: fewAreWrong(data) ? 0 : usualKeep }),
    };
    return { ...settings, selfTrain: { ...settings.selfTrain, ...open } };
  },
  stages(settings: Complete) {
    const { rounds, repeats } = settings.selfTrain;
    const stages: Stage[] = [];
    for (let round = 1; round <= rounds; round++)
      for (let repeat = 1; repeat <= repeats; repeat++) stages.push(teaching(settings, round, repeat));
    return [...stages, { name: "student", settings, prepare: (context) => newLabels(context, settings, rounds) }];
  },
};

/** Labels of dictionaries are wrong as well as few, and these are what is usual. */
const usualKeep = 0.5;

/** What stays wrong trains, but what is right and doubted is lost: dev tells which of the two is more. */
function fewAreWrong({ train, dev }: TrainingData): boolean {
  const wrong = dev.length > 0 ? wrongShare(train, dev) : undefined;
  return wrong !== undefined && !manyAreWrong(wrong);
}

/** A cross-fit of a round; from the second on it learns from the labels of the one before. */
function teaching(settings: Complete, round: number, repeat: number): Stage {
  const name = roundName(round, repeat);
  const stage = { name, settings: teacherSettings(settings, round, repeat), folds: settings.selfTrain.folds };
  return round === 1 ? stage : { ...stage, prepare: (context) => newLabels(context, settings, round - 1) };
}

/** What the teachers of a round, or of the last one before where labels have settled, make of the given labels. */
async function newLabels(context: StageContext, { selfTrain }: Complete, wanted: number): Promise<Prepared> {
  const round = Math.min(wanted, context.fitted.length / selfTrain.repeats);
  const { sentences, counts } = labelsOf(context, selfTrain, round);
  const before = round > 1 ? labelsOf(context, selfTrain, round - 1).sentences : givenTo(context);
  const changed = changedShare(sentences, before);
  const { kept, replaced, completed, leftOut } = counts;
  const given = kept + replaced;
  return {
    adjustments: [],
    train: { sentences, file: `labels-${round}.jsonl` },
    files: { [`labels-${round}.json`]: `${JSON.stringify({ round, ...counts, changed }, null, 2)}\n` },
    summary: `round ${round}: ${kept} labels kept, ${replaced} replaced, ${completed} added, ${leftOut} spans or tokens left out${
      2 * replaced > given ? "; most given labels are gone: are the teachers good enough (selfTrain.epochs)?" : ""
    }`,
    facts: { round, ...counts },
    settled: changed <= selfTrain.settle,
  };
}

function labelsOf({ outOfFold, ...context }: StageContext, selfTrain: SelfTrainSettings, round: number) {
  const fits: OutOfFoldScores[] = [];
  for (let repeat = 1; repeat <= selfTrain.repeats; repeat++) fits.push(outOfFold(roundName(round, repeat)));
  const counts: RelabelCounts = { kept: 0, replaced: 0, completed: 0, leftOut: 0 };
  const judged = opinions(fits);
  const thresholds = { ...selfTrain, keep: selfTrain.keep === "auto" ? usualKeep : selfTrain.keep };
  const sentences = givenTo(context).map((sentence, i) =>
    relabel(sentence, teachingOf(judged[i]!, fits[0]!), thresholds, counts),
  );
  return { sentences, counts };
}

function givenTo({ data: { train, unlabelled = [] } }: Pick<StageContext, "data">): readonly Sentence[] {
  return [...train, ...unlabelled];
}
