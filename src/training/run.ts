import { join } from "node:path";
import type { PrepareOptions } from "../encoders/index.ts";
import type { Sentence } from "../text/index.ts";
import { toldBy } from "../util/channel.ts";
import { makeFolder } from "../util/make-folder.ts";
import { openCheckpoint, removeCheckpoint } from "./checkpoint.ts";
import { crossFit } from "./cross-fit.ts";
import type { TrainingData } from "./data.ts";
import { assertExtends } from "./extension.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { OutOfFoldScores } from "./fold-scores.ts";
import { openFolder } from "./folder.ts";
import { merge } from "./merge.ts";
import { readMetrics } from "./metrics.ts";
import { builtInParts, type Parts } from "./parts.ts";
import type { EvaluationRecord } from "./progress.ts";
import type { SearchRecord } from "./search-record.ts";
import { checkRecipe, typesOf } from "./session.ts";
import type { Settings } from "./settings.ts";
import {
  isInterrupted,
  isTrained,
  type PreparationContext,
  prepareStage,
  type Stage,
  stageFolder,
  stagesFolder,
  tidyStages,
} from "./stage.ts";
import { type Origin, type StageRecord, trainStage } from "./train-stage.ts";

export interface RunOptions {
  /** Where the model is kept. */
  readonly directory: string;
  /** Go on from the directory's checkpoint, or with more epochs from the last state that a finished run kept. */
  readonly resume?: boolean | undefined;
  /** Keep the last state beside the model, in `state.safetensors`: some three times the size of the weights that train. */
  readonly keepState?: boolean | undefined;
  /** When aborted, the run writes a checkpoint and ends by throwing the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How these settings came about, for the model card and the configuration. */
  readonly origin?: Origin | undefined;
  /** When the limit of `minutes` began to count; now unless given. */
  readonly started?: number | undefined;
  /** Told how far the computation of frozen parts is, before a stage starts. */
  readonly onFeatures?: PrepareOptions["progress"] | undefined;
}

export type RunRecord =
  | StageRecord
  | SearchRecord
  /** A stage begins or goes on; only in runs that have several. */
  | { readonly kind: "stage"; readonly name: string; readonly epochs: number }
  /** Earlier stages changed the data of the next one. */
  | {
      readonly kind: "prepared";
      readonly summary: string;
      readonly facts: Readonly<Record<string, number>>;
      /** Paths of the files that tell more. */
      readonly files: readonly string[];
    };

/**
 * Trains the stages of a run one after the other. Each has a folder of its own below `stages/`, the last one the run's,
 * and each goes on where it was interrupted; what a finished stage left is used as it is.
 */
export async function* run(
  data: TrainingData,
  stages: readonly Stage[],
  { directory, resume = false, keepState, signal, onFeatures, origin, started = Date.now() }: RunOptions,
  parts: Parts = builtInParts,
): AsyncGenerator<RunRecord, EvaluationRecord[]> {
  // What a later stage refuses must not cost the training of the earlier ones.
  for (const { settings } of allStages(stages)) checkRecipe(settings, parts);
  await openFolder(directory, resume);
  let extended: number | undefined;
  if (isTrained(directory)) {
    if (isInterrupted(directory)) return finishedBefore(directory, stages);
    const { settings } = stages.at(-1)!;
    extended = assertExtends(directory, fingerprintOf(data, settings), settings);
  }
  const before: EvaluationRecord[] = [];
  let history: EvaluationRecord[] = [];
  let begun = false;
  let isSettled = false;
  const fitted = new Map<string, OutOfFoldScores>();
  for (const stage of stages) {
    const folder = stageFolder(directory, stages, stage);
    const isLast = folder === directory;
    const labelled = (record: EvaluationRecord): EvaluationRecord =>
      isLast
        ? record
        : { ...record, stage: [stage.name, record.stage].filter((name) => name !== undefined).join(", ") };
    if (!isLast && isFinished(folder)) {
      before.push(...(await readMetrics(folder)).map(labelled));
      continue;
    }
    if (!isLast && isSettled) continue;
    const { staged, settings, facts, told, settled } = await dataOf(stage, directory, { data, parts, signal, fitted });
    if (told) yield told;
    isSettled = settled;
    if (!isLast && isSettled) continue;
    if (stages.length > 1) await makeFolder(folder);
    if (stage.folds !== undefined) {
      yield { kind: "stage", name: stage.name, epochs: stage.folds * stage.settings.epochs };
      fitted.set(stage.name, yield* fitFolds(staged, stage, { directory: folder, parts, signal }));
      continue;
    }
    if (stage.stages !== undefined) {
      yield { kind: "stage", name: stage.name, epochs: stage.settings.epochs };
      const inner = run(staged, stage.stages, { directory: folder, resume: true, signal, onFeatures, started }, parts);
      for await (const record of inner) {
        if (record.kind === "start" && begun) continue;
        begun ||= record.kind === "start";
        if (record.kind === "evaluation") yield labelled(record);
        else yield record.kind === "stage" ? { ...record, name: `${stage.name}, ${record.name}` } : record;
      }
      before.push(...(await readMetrics(folder)).map(labelled));
      continue;
    }
    const from = stage.from === undefined ? undefined : join(stagesFolder(directory), stage.from);
    const own = isLast ? { before, facts, keepState, origin } : {};
    const training = trainStage(staged, settings, {
      directory: folder,
      parts,
      signal,
      started,
      onFeatures,
      from,
      ...own,
    });
    for (;;) {
      const { done, value } = await training.next();
      if (done) {
        if (isLast) history = value;
        else before.push(...value.map(labelled));
        break;
      }
      if (value.kind === "start") {
        await openCheckpoint(directory);
        const resumed = value.resumed || before.length > 0 || extended !== undefined;
        if (!begun) yield { ...value, resumed, ...(extended !== undefined && { extended }) };
        if (stages.length > 1) yield { kind: "stage", name: stage.name, epochs: stage.settings.epochs };
        begun = true;
      } else yield value.kind === "evaluation" ? labelled(value) : value;
    }
  }
  await tidyStages(directory, stages);
  await removeCheckpoint(directory);
  return history;
}

function allStages(stages: readonly Stage[]): Stage[] {
  return stages.flatMap((stage) => [stage, ...allStages(stage.stages ?? [])]);
}

/** A stage is over when its model is there and, where it is a run of its own, its stages are not any more. */
function isFinished(folder: string): boolean {
  return isTrained(folder) && !isInterrupted(folder);
}

/** Cross-fits a stage; folds that were done before the run was interrupted are not done again. */
async function* fitFolds(
  { train, dev, unlabelled, adjustments }: TrainingData,
  { name, folds, settings }: Stage,
  options: { readonly directory: string; readonly parts: Parts; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<RunRecord, OutOfFoldScores> {
  const told = toldBy<{ fold: number; record: StageRecord }, OutOfFoldScores>((tell) =>
    crossFit(train, settings, { ...options, folds: folds!, dev, unlabelled, adjustments, see: tell }),
  );
  for (;;) {
    const { done, value } = await told.next();
    if (done) return value;
    const { fold, record } = value;
    // As one long training: fold after fold.
    if (record.kind === "step") yield { ...record, epoch: record.epoch + fold * settings.epochs };
    else if (record.kind === "evaluation") yield { ...record, stage: `${name}, fold ${fold + 1} of ${folds}` };
  }
}

/** A run that was over but for its tidying up when it was killed. */
async function finishedBefore(directory: string, stages: readonly Stage[]): Promise<EvaluationRecord[]> {
  await tidyStages(directory, stages);
  return (await readMetrics(directory)).filter(({ stage }) => stage === undefined);
}

interface StagedData {
  readonly staged: TrainingData;
  readonly settings: Settings;
  readonly settled: boolean;
  readonly facts?: Readonly<Record<string, number>>;
  readonly told?: RunRecord;
}

/** Sentences of a stage's own hold what was unlabelled too. A type that has lost its labels there is still one. */
function ownSentences({ train, types = [] }: TrainingData, sentences: readonly Sentence[]): Partial<TrainingData> {
  const known = [...new Set([...types, ...typesOf(train)])].sort();
  return { train: sentences, types: known, hidden: undefined, unlabelled: [] };
}

/** The data of a stage, changed by what earlier ones found out. */
async function dataOf(stage: Stage, directory: string, context: PreparationContext): Promise<StagedData> {
  const data = stage.withoutDev ? { ...context.data, dev: [] } : context.data;
  if (!stage.prepare) return { staged: data, settings: stage.settings, settled: false };
  const { prepared, before } = await prepareStage(stage as Parameters<typeof prepareStage>[0], directory, context);
  const { adjustments, train, summary, facts, settled = false } = prepared;
  const staged = { ...data, adjustments, ...(train && ownSentences(data, train.sentences)) };
  const names = [...Object.keys(prepared.files ?? {}), ...(train ? [train.file] : [])];
  const files = names.map((name) => join(directory, name));
  const settings = merge(stage.settings, prepared.settings ?? {}) as Settings;
  const kept = { staged, settings, facts, settled };
  return before ? kept : { ...kept, told: { kind: "prepared", summary, facts, files } };
}
