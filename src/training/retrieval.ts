import type { Report } from "../evaluation/index.ts";
import { type InferenceSettings, labelCentroids } from "../inference/retrieval.ts";
import type { Batch, Visit } from "../models/batch.ts";
import type { Retrieval } from "../models/retrieval.ts";
import type { SpanModel } from "../models/span-model.ts";
import type { ParameterStore } from "../nn/index.ts";
import type { Sampler } from "../samplers/index.ts";
import { epochBatches } from "./batches.ts";
import { runtimeOf, type Settings } from "./settings.ts";
import type { Addition } from "./trainee.ts";

/** Among these the weight of retrieval is chosen on dev; of equal results the smallest. */
export const alphaGrid: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];

export interface RetrievalFit extends Omit<Extract<InferenceSettings, { name: "retrieval" }>, "name"> {
  readonly settings: Settings;
  readonly sampler: Sampler;
  /** The training items. */
  readonly sizes: readonly number[];
  batch(members: readonly number[], visit: Visit): Batch;
  /** Scores on dev; null where there is none. */
  evaluate(retrieval: Retrieval): Promise<Report | null>;
}

/** What retrieval needs beside the weights of a store. */
export async function fitRetrieval(model: SpanModel, store: ParameterStore, fit: RetrievalFit): Promise<Addition> {
  const { settings, sampler, alpha: wanted, mix } = fit;
  const options = { sampler, epochs: settings.epochs, runtime: runtimeOf(settings) };
  const centroids = await labelCentroids(model, store, lastEpoch(fit), options);
  let best: Addition | undefined;
  for (const alpha of wanted === "dev" ? alphaGrid : [wanted]) {
    const retrieval = { centroids, alpha, mix };
    const dev = await fit.evaluate(retrieval);
    if (!best || (dev?.f1 ?? 0) > (best.dev?.f1 ?? 0)) best = { retrieval, dev };
  }
  return best!;
}

/** The batches of the last epoch, with the negatives that the sampler picks there. */
function* lastEpoch({ sizes, settings, batch }: RetrievalFit): Generator<Batch> {
  const visit = { seed: settings.seed, epoch: settings.epochs - 1 };
  for (const members of epochBatches(sizes, { tokens: settings.batchTokens, ...visit })) yield batch(members, visit);
}
