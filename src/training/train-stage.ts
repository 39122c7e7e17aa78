import { join } from "node:path";
import type { PrepareOptions } from "../encoders/index.ts";
import type { Report } from "../evaluation/index.ts";
import { restoreWeights, saveModel, updateTraining } from "../inference/index.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { modelCard } from "./card.ts";
import {
  type Checkpoint,
  keepState,
  openCheckpoint,
  readCheckpoint,
  removeCheckpoint,
  saveCheckpoint,
} from "./checkpoint.ts";
import type { TrainingData } from "./data.ts";
import { fingerprintOf, hashSentences } from "./fingerprint.ts";
import { type TrainingRecord, trainingLoop } from "./loop.ts";
import { builtInParts, type Parts } from "./parts.ts";
import { type EvaluationRecord, isOver, type Progress, startOfRun } from "./progress.ts";
import { type Addition, checkRetrieval, fitRetrieval } from "./retrieval.ts";
import { closeSession, openSession, type Preparation, type Session } from "./session.ts";
import type { Settings } from "./settings.ts";

/** How the settings of a training came about. */
export interface Origin {
  /** A section of the model card. */
  readonly card: string;
  /** What the configuration keeps, under a name of its own. */
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface TrainStageOptions {
  /** Where the model is kept, and the checkpoint while it trains. */
  readonly directory: string;
  readonly parts?: Parts | undefined;
  /** When aborted, a checkpoint is written and the signal's reason thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Told how far the computation of frozen parts is. */
  readonly onFeatures?: PrepareOptions["progress"] | undefined;
  /** The folder of a model whose weights are the first ones; what it is worth counts as the first evaluation. */
  readonly from?: string | undefined;
  /** When the run began, for the limit of minutes. */
  readonly started?: number | undefined;
  /** Evaluations of the stages before: they stand first in `metrics.jsonl`. */
  readonly before?: readonly EvaluationRecord[] | undefined;
  /** Figures about the data that the model directory keeps. */
  readonly facts?: Readonly<Record<string, number>> | undefined;
  readonly origin?: Origin | undefined;
  /** Keep the last state beside the model, so that the training can be made longer. */
  readonly keepState?: boolean | undefined;
}

export type StageRecord =
  | {
      readonly kind: "start";
      readonly preparation: Preparation;
      readonly resumed: boolean;
      /** The epochs that the training had before it was made longer. */
      readonly extended?: number;
    }
  /** The best model was given centroids for retrieval; `dev` is its score with them. */
  | { readonly kind: "retrieval"; readonly alpha: number; readonly dev: Report | null }
  | TrainingRecord;

/** The time between checkpoints within a long epoch. */
const checkpointEvery = 10 * 60_000;

/**
 * Trains one model into a directory: the best on dev is saved whenever it gets better, `metrics.jsonl` has a line for each
 * evaluation, and a checkpoint lets an interrupted or killed training go on to the same weights as one never stopped.
 */
export async function* trainStage(
  data: TrainingData,
  settings: Settings,
  options: TrainStageOptions,
): AsyncGenerator<StageRecord, EvaluationRecord[]> {
  const { directory, parts = builtInParts, signal, started = Date.now(), before = [] } = options;
  checkRetrieval(settings.inference, data.dev);
  const fingerprint = fingerprintOf(data, settings);
  const checkpoint = readCheckpoint(directory, fingerprint);
  const progress = checkpoint?.progress ?? startOfRun();
  if (checkpoint) progress.finished = isOver(progress, settings);
  const extended = epochsBefore(checkpoint, settings);
  const session = await openSession(data, settings, parts, { signal, progress: options.onFeatures });
  try {
    await openCheckpoint(directory);
    const { tables } = session.task.model.encoder;
    const evaluateFirst = !checkpoint && options.from !== undefined;
    // A checkpoint does not hold fixed tables: they are those of the model that the training started from.
    if (evaluateFirst || (options.from !== undefined && tables.some(({ trainable }) => !trainable)))
      restoreWeights(options.from!, session.learner.store, tables);
    checkpoint?.restore(session);
    if (extended !== undefined && progress.best) await describeAgain(session, progress, data, options);
    const resumed = checkpoint !== undefined;
    yield { kind: "start", preparation: session.preparation, resumed, ...(extended !== undefined && { extended }) };
    let saved = started;
    for await (const record of trainingLoop(session, progress, { evaluateFirst })) {
      if (record.kind === "evaluation") {
        if (record.improved) await keep(session, record, data, options);
        const lines = [...before, ...progress.history].map((each) => `${JSON.stringify(each)}\n`);
        await writeTextAtomically(join(directory, "metrics.jsonl"), lines.join(""));
      }
      if (record.kind === "evaluation" || signal?.aborted || Date.now() - saved > checkpointEvery) {
        await saveCheckpoint(directory, session, progress, fingerprint);
        saved = Date.now();
      }
      yield record;
      signal?.throwIfAborted();
      if (settings.minutes > 0 && Date.now() - started > settings.minutes * 60_000 && progress.best) break;
    }
    if (settings.inference.name === "retrieval") {
      restoreWeights(directory, session.learner.store, session.task.model.encoder.tables);
      const addition = await fitRetrieval(session, settings.inference);
      const best = progress.history.filter(({ improved }) => improved).at(-1)!;
      await keep(session, best, data, options, addition);
      yield { kind: "retrieval", alpha: addition.retrieval.alpha, dev: addition.dev };
    }
  } finally {
    await closeSession(session);
  }
  if (options.keepState) await keepState(directory);
  await removeCheckpoint(directory);
  return progress.history;
}

/** The epochs of a training that goes on with more of them. */
function epochsBefore(checkpoint: Checkpoint | undefined, { epochs }: Settings): number | undefined {
  const before = checkpoint?.before.settings.epochs;
  return typeof before === "number" && before < epochs ? before : undefined;
}

/** The best model so far says how many epochs it has at most, which are more now. */
async function describeAgain(
  { settings, task }: Session,
  { history }: Progress,
  data: TrainingData,
  { directory, origin }: TrainStageOptions,
): Promise<void> {
  const best = history.filter(({ improved }) => improved).at(-1)!;
  await updateTraining(directory, settings, modelCard(task.model, settings, best, data, origin?.card));
}

async function keep(
  { settings, task: { model }, learner }: Session,
  best: EvaluationRecord,
  data: TrainingData,
  { directory, facts, origin }: TrainStageOptions,
  addition?: Addition,
): Promise<void> {
  const record = addition ? { ...best, ...addition } : best;
  const { dev, shift } = record;
  const provenance = {
    seed: settings.seed,
    data: { train: hashSentences(data.train), dev: hashSentences(data.dev) },
    epoch: record.epoch,
    ...(facts && { prepared: facts }),
    ...origin?.facts,
    dev: dev && { precision: dev.precision, recall: dev.recall, f1: dev.f1, support: dev.support },
  };
  await saveModel(directory, model, learner.store, {
    training: settings,
    provenance,
    retrieval: addition?.retrieval,
    shift,
    card: modelCard(model, settings, record, data, origin?.card),
  });
}
