import { join } from "node:path";
import type { PrepareOptions } from "../encoders/index.ts";
import type { Report } from "../evaluation/index.ts";
import { restoreWeights, saveModel } from "../inference/index.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { modelCard } from "./card.ts";
import { openCheckpoint, readCheckpoint, removeCheckpoint, saveCheckpoint } from "./checkpoint.ts";
import type { TrainingData } from "./data.ts";
import { fingerprintOf, hashSentences } from "./fingerprint.ts";
import { type TrainingRecord, trainingLoop } from "./loop.ts";
import { builtInParts, type Parts } from "./parts.ts";
import { type EvaluationRecord, startOfRun } from "./progress.ts";
import { type Addition, checkRetrieval, fitRetrieval } from "./retrieval.ts";
import { closeSession, openSession, type Preparation, type Session } from "./session.ts";
import type { Settings } from "./settings.ts";

export interface TrainStageOptions {
  /** Where the model is kept, and the checkpoint while it trains. */
  readonly directory: string;
  readonly parts?: Parts | undefined;
  /** When aborted, a checkpoint is written and the signal's reason thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Told how far the computation of frozen parts is. */
  readonly onFeatures?: PrepareOptions["progress"] | undefined;
  /** When the run began, for the limit of minutes. */
  readonly started?: number | undefined;
  /** Evaluations of the stages before: they stand first in `metrics.jsonl`. */
  readonly before?: readonly EvaluationRecord[] | undefined;
  /** Figures about the data that the model directory keeps. */
  readonly facts?: Readonly<Record<string, number>> | undefined;
}

export type StageRecord =
  | { readonly kind: "start"; readonly preparation: Preparation; readonly resumed: boolean }
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
  const session = await openSession(data, settings, parts, { signal, progress: options.onFeatures });
  try {
    await openCheckpoint(directory);
    checkpoint?.restore(session);
    yield { kind: "start", preparation: session.preparation, resumed: checkpoint !== undefined };
    let saved = started;
    for await (const record of trainingLoop(session, progress)) {
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
  await removeCheckpoint(directory);
  return progress.history;
}

async function keep(
  { settings, task: { model }, learner }: Session,
  best: EvaluationRecord,
  data: TrainingData,
  { directory, facts }: TrainStageOptions,
  addition?: Addition,
): Promise<void> {
  const record = addition ? { ...best, ...addition } : best;
  const { dev, shift } = record;
  const provenance = {
    seed: settings.seed,
    data: { train: hashSentences(data.train), dev: hashSentences(data.dev) },
    epoch: record.epoch,
    ...(facts && { prepared: facts }),
    dev: dev && { precision: dev.precision, recall: dev.recall, f1: dev.f1, support: dev.support },
  };
  await saveModel(directory, model, learner.store, {
    training: settings,
    provenance,
    retrieval: addition?.retrieval,
    shift,
    card: modelCard(model, settings, record, data),
  });
}
