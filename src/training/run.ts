import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openEncoder } from "../encoders/index.ts";
import { restoreWeights, saveModel } from "../models/directory.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import { modelCard } from "./card.ts";
import { openCheckpoint, removeCheckpoint, restoreCheckpoint, saveCheckpoint } from "./checkpoint.ts";
import { type EvaluationRecord, type Progress, startOfRun, type TrainingRecord, trainingLoop } from "./loop.ts";
import { type FittedRetrieval, fitRetrieval } from "./retrieval.ts";
import {
  closeSession,
  hashSentences,
  openSession,
  type Preparation,
  type Session,
  type TrainingData,
} from "./session.ts";
import type { Settings } from "./settings.ts";

export interface RunOptions {
  /** Where the model is kept. */
  readonly directory: string;
  /** Go on from the directory's checkpoint. */
  readonly resume?: boolean;
  /** When aborted, the run writes a checkpoint and ends by throwing the signal's reason. */
  readonly signal?: AbortSignal;
}

export type RunRecord =
  | { readonly kind: "start"; readonly preparation: Preparation; readonly resumed: boolean }
  | TrainingRecord;

/** The time between checkpoints within a long epoch. */
const checkpointEvery = 10 * 60_000;

/**
 * Trains a model into a directory: the best on dev is saved whenever it gets better, `metrics.jsonl` has a line for each
 * evaluation, and a checkpoint lets an interrupted or killed run go on to the same weights as one never stopped.
 */
export async function* run(
  data: TrainingData,
  settings: Settings,
  options: RunOptions,
): AsyncGenerator<RunRecord, EvaluationRecord[]> {
  const { directory, resume = false, signal } = options;
  await claim(directory, resume);
  const encoder = await openEncoder(settings.encoder, data.train, settings, settings.seed);
  const session = await openSession(data, encoder, settings);
  try {
    await openCheckpoint(directory);
    const kept = restoreCheckpoint(directory, session);
    const progress = kept ?? startOfRun();
    yield { kind: "start", preparation: session.preparation, resumed: kept !== undefined };
    yield* supervised(session, progress, data, directory, signal);
    await addRetrieval(session, progress, data, directory);
    await removeCheckpoint(directory);
    return progress.history;
  } finally {
    await closeSession(session);
  }
}

/** A run has a folder to itself: it never mixes its files with those of another, or of somebody else. */
async function claim(directory: string, resume: boolean): Promise<void> {
  const names = await namesIn(directory);
  const refuse = (reason: string): never => {
    throw new InputError(reason, { file: directory });
  };
  if (names.includes("checkpoint")) {
    if (!resume)
      refuse("the folder holds a run that was interrupted; go on with --resume, remove it or choose another");
    // A process that was killed could not take its temporary files away.
    for (const name of names.filter((each) => /^\..*\.tmp$/.test(each))) await rm(join(directory, name));
  } else if (names.includes("config.json")) {
    refuse(
      resume
        ? "the run is finished, there is nothing to resume"
        : "the folder holds a model; choose another or remove it",
    );
  } else if (names.some((name) => !name.startsWith(".")))
    refuse("the folder for the model is not empty; choose another");
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    if (code === "ENOTDIR") throw new InputError("expected a folder for the model, got a file", { file: directory });
    throw error;
  }
}

async function* supervised(
  session: Session,
  progress: Progress,
  data: TrainingData,
  directory: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<TrainingRecord> {
  const started = Date.now();
  let saved = started;
  for await (const record of trainingLoop(session, progress)) {
    if (record.kind === "evaluation") {
      if (record.improved) await keep(session, record, data, directory);
      await writeTextAtomically(
        join(directory, "metrics.jsonl"),
        progress.history.map((each) => `${JSON.stringify(each)}\n`).join(""),
      );
    }
    if (record.kind === "evaluation" || signal?.aborted || Date.now() - saved > checkpointEvery) {
      await saveCheckpoint(directory, session, progress);
      saved = Date.now();
    }
    yield record;
    signal?.throwIfAborted();
    const { minutes } = session.settings;
    if (minutes > 0 && Date.now() - started > minutes * 60_000 && progress.best) return;
  }
}

/** Gives the best model, which the directory holds, what retrieval needs, if the run asks for it. */
async function addRetrieval(
  session: Session,
  { history }: Progress,
  data: TrainingData,
  directory: string,
): Promise<void> {
  if (session.settings.inference.name === "plain") return;
  restoreWeights(directory, session.learner.store, session.model.encoder.tables);
  const fitted = await fitRetrieval(session);
  await keep(session, history.filter(({ improved }) => improved).at(-1)!, data, directory, fitted);
}

async function keep(
  { model, learner, settings }: Session,
  best: EvaluationRecord,
  data: TrainingData,
  directory: string,
  fitted?: FittedRetrieval,
): Promise<void> {
  const record = fitted ? { ...best, dev: fitted.dev } : best;
  const provenance = {
    seed: settings.seed,
    data: { train: hashSentences(data.train), dev: hashSentences(data.dev) },
    epoch: record.epoch,
    dev: record.dev && {
      precision: record.dev.precision,
      recall: record.dev.recall,
      f1: record.dev.f1,
      support: record.dev.support,
    },
  };
  await saveModel(directory, model, learner.store, {
    training: settings,
    provenance,
    retrieval: fitted?.retrieval,
    card: modelCard(model, settings, record, data),
  });
}
