import { join } from "node:path";
import { openEncoder } from "../encoders/index.ts";
import type { Report } from "../evaluation/index.ts";
import { restoreWeights, saveModel } from "../models/directory.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { modelCard } from "./card.ts";
import { openCheckpoint, readCheckpoint, removeCheckpoint, saveCheckpoint } from "./checkpoint.ts";
import { claim } from "./claim.ts";
import { type EvaluationRecord, startOfRun, type TrainingRecord, trainingLoop } from "./loop.ts";
import { describeRemoved, smallestValues } from "./removed-tokens.ts";
import { closeSession, fingerprintOf, hashSentences, openSession, type Preparation, type Session } from "./session.ts";
import type { Settings } from "./settings.ts";
import { type RunState, type Stage, stagesOf, startOfStages } from "./stages.ts";
import type { Addition, TrainingData } from "./trainee.ts";

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
  /** A stage begins or goes on; only in runs that have several. */
  | { readonly kind: "stage"; readonly name: Stage["name"]; readonly epochs: number }
  /** Tokens were taken out of the training that follows. */
  | { readonly kind: "removal"; readonly removed: number; readonly unknown: number; readonly file: string }
  /** The best model was given centroids for retrieval; `dev` is its score with them. */
  | { readonly kind: "retrieval"; readonly alpha: number; readonly dev: Report | null }
  | TrainingRecord;

/** The list of tokens that were taken out of training, beside the model. */
const removedFile = "removed.jsonl";

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
  const { directory, resume = false } = options;
  await claim(directory, resume);
  const fingerprint = fingerprintOf(data, settings);
  const checkpoint = readCheckpoint(directory, fingerprint);
  const state = checkpoint?.state ?? startOfStages();
  const stages = stagesOf(settings);
  const first = state.stage;
  const started = Date.now();
  for (const stage of stages.slice(first)) {
    const session = await openStage(stage, data, state);
    try {
      await openCheckpoint(directory);
      const resumed = state.stage === first && checkpoint !== undefined;
      if (resumed) checkpoint.restore(session);
      if (state.stage === first) yield { kind: "start", preparation: session.preparation, resumed };
      if (stages.length > 1) yield { kind: "stage", name: stage.name, epochs: stage.settings.epochs };
      const supervision = { session, stage, state, data, fingerprint, started };
      yield* supervised(supervision, options);
      if (stage.remove > 0) yield await inspect(supervision, directory);
      else yield* complete(supervision, directory);
    } finally {
      await closeSession(session);
    }
  }
  await removeCheckpoint(directory);
  return state.progress.history;
}

/** A stage of a run under way. */
interface Supervision {
  readonly session: Session;
  readonly stage: Stage;
  readonly state: RunState;
  readonly data: TrainingData;
  readonly fingerprint: string;
  readonly started: number;
}

/** Every stage has an encoder and a model as if there had been none before. */
async function openStage(stage: Stage, data: TrainingData, { removed }: RunState): Promise<Session> {
  const { settings } = stage;
  const encoder = await openEncoder(settings.encoder, data.train, settings.seed);
  return openSession(data, encoder, settings, { exploring: stage.name === "explore", removed });
}

/** The end of a stage that explores: what it found out changes the next one, which starts anew. */
async function inspect({ session, stage, state, data }: Supervision, directory: string): Promise<RunRecord> {
  const values = await session.trainee.outsideValues!(session.learner.store);
  const removed = smallestValues(values, stage.remove);
  await writeTextAtomically(join(directory, removedFile), describeRemoved(removed, data.train));
  Object.assign(state, {
    stage: state.stage + 1,
    before: recordsOf(state, stage),
    removed,
    progress: startOfRun(),
  } satisfies RunState);
  return {
    kind: "removal",
    removed: removed.length,
    unknown: values.values.length,
    file: join(directory, removedFile),
  };
}

async function* supervised(
  supervision: Supervision,
  { directory, signal }: RunOptions,
): AsyncGenerator<TrainingRecord> {
  const { session, stage, state, fingerprint, started } = supervision;
  const { progress } = state;
  const { minutes } = session.settings;
  let saved = started;
  for await (const record of trainingLoop(session, progress)) {
    if (record.kind === "evaluation") {
      if (record.improved && stage.name === "train") await keep(supervision, record, directory);
      const lines = recordsOf(state, stage).map((each) => `${JSON.stringify(each)}\n`);
      await writeTextAtomically(join(directory, "metrics.jsonl"), lines.join(""));
    }
    if (record.kind === "evaluation" || signal?.aborted || Date.now() - saved > checkpointEvery) {
      await saveCheckpoint(directory, session, state, fingerprint);
      saved = Date.now();
    }
    yield record.kind === "evaluation" ? labelled(record, stage) : record;
    signal?.throwIfAborted();
    if (minutes > 0 && Date.now() - started > minutes * 60_000 && progress.best) return;
  }
}

/** The evaluations of the stages before and of this one. */
function recordsOf({ before, progress }: RunState, stage: Stage): EvaluationRecord[] {
  return [...before, ...progress.history.map((record) => labelled(record, stage))];
}

function labelled(record: EvaluationRecord, { name }: Stage): EvaluationRecord {
  return name === "train" ? record : { ...record, stage: name };
}

/** Gives the best model, which the directory holds, what it still needs, if the run asks for it. */
async function* complete(supervision: Supervision, directory: string): AsyncGenerator<RunRecord> {
  const { trainee, learner } = supervision.session;
  if (!trainee.complete) return;
  restoreWeights(directory, learner.store, trainee.model.encoder.tables);
  const addition = await trainee.complete(learner.store);
  const best = supervision.state.progress.history.filter(({ improved }) => improved).at(-1)!;
  await keep(supervision, best, directory, addition);
  yield { kind: "retrieval", alpha: addition.retrieval.alpha, dev: addition.dev };
}

async function keep(
  { session, state, data }: Supervision,
  best: EvaluationRecord,
  directory: string,
  addition?: Addition,
): Promise<void> {
  const { settings, trainee, learner } = session;
  const { model } = trainee;
  const record = addition ? { ...best, dev: addition.dev } : best;
  const provenance = {
    seed: settings.seed,
    data: { train: hashSentences(data.train), dev: hashSentences(data.dev) },
    epoch: record.epoch,
    ...(state.removed.length > 0 && { removedTokens: state.removed.length }),
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
    retrieval: addition?.retrieval,
    card: modelCard(model, settings, record, data),
  });
}
