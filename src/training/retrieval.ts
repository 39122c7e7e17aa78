import { evaluate, type Report } from "../evaluation/index.ts";
import { Predictor } from "../inference/predict.ts";
import { labelCentroids } from "../inference/retrieval.ts";
import { type Batch, trainingBatch } from "../models/batch.ts";
import type { Retrieval } from "../models/retrieval.ts";
import { epochBatches } from "./batches.ts";
import { runtimeOf, type Session } from "./session.ts";

/** Among these the weight of retrieval is chosen on dev; of equal results the smallest. */
export const alphaGrid: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];

export interface FittedRetrieval {
  readonly retrieval: Retrieval;
  /** Scores on dev with it. */
  readonly dev: Report | null;
}

/** What retrieval needs beside the weights that the session holds; undefined when the run does without. */
export async function fitRetrieval(session: Session): Promise<FittedRetrieval | undefined> {
  const { settings, model, learner, sampler } = session;
  const { inference, epochs } = settings;
  if (inference.name === "plain") return undefined;
  const runtime = runtimeOf(settings);
  const centroids = await labelCentroids(model, learner.store, lastEpoch(session), { sampler, epochs, runtime });
  let best: FittedRetrieval | undefined;
  for (const alpha of inference.alpha === "dev" ? alphaGrid : [inference.alpha]) {
    const retrieval = { centroids, alpha, mix: inference.mix };
    const dev = await evaluated(session, retrieval);
    if (!best || (dev?.f1 ?? 0) > (best.dev?.f1 ?? 0)) best = { retrieval, dev };
  }
  return best;
}

async function evaluated({ model, learner, dev, settings }: Session, retrieval: Retrieval): Promise<Report | null> {
  if (dev.length === 0) return null;
  const predictor = await Predictor.create(model, learner.store, runtimeOf(settings), retrieval);
  const predicted = await predictor.predict(dev, settings.decode);
  await predictor.dispose();
  return evaluate(dev.map((gold, i) => ({ gold, predicted: predicted[i]! })));
}

/** The batches of the last epoch, with the negatives that the sampler picks there. */
function* lastEpoch({ items, model, sampler, settings }: Session): Generator<Batch> {
  const visit = { seed: settings.seed, epoch: settings.epochs - 1 };
  const sizes = items.map(({ size }) => size);
  for (const members of epochBatches(sizes, { tokens: settings.batchTokens, ...visit })) {
    const chosen = members.map((member) => items[member]!);
    yield trainingBatch(chosen, model.encoder, sampler, visit).batch;
  }
}
