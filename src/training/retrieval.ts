import type { Batch, Retrieval, TrainingTask } from "../heads/index.ts";
import { type InferenceSettings, Predictor } from "../inference/index.ts";
import type { ParameterStore } from "../nn/index.ts";
import { Program, type RuntimeOptions } from "../tensor/index.ts";
import type { Sentence } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { epochBatches } from "./batches.ts";
import { type Decided, decide } from "./decision.ts";
import type { Session } from "./session.ts";
import { runtimeOf } from "./settings.ts";

/** Among these the weight of retrieval is chosen on dev; of equal results the smallest. */
const alphaGrid: readonly number[] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7];

/** What is added to a model after its training, and its scores on dev with it. */
export interface Addition extends Decided {
  readonly retrieval: Retrieval;
}

type RetrievalSettings = Extract<InferenceSettings, { name: "retrieval" }>;

/** Refuses, before anything is trained, what could not be chosen afterwards. */
export function checkRetrieval(inference: InferenceSettings, dev: readonly Sentence[]): void {
  if (inference.name === "retrieval" && inference.alpha === "dev" && dev.length === 0) {
    throw new InputError(
      "train: the weight of retrieval is chosen on dev, and there is no dev set; give it as inference.alpha, a number from 0 to 1",
    );
  }
}

/** What retrieval needs beside the weights of a store. */
export async function fitRetrieval(session: Session, { alpha: wanted, mix }: RetrievalSettings): Promise<Addition> {
  const { task, learner, settings } = session;
  const runtime = runtimeOf(settings);
  const centroids = await labelCentroids(task, learner.store, lastEpoch(session), runtime);
  let best: Addition | undefined;
  for (const alpha of wanted === "dev" ? alphaGrid : [wanted]) {
    const retrieval = { centroids, alpha, mix };
    const decided = await decideWith(retrieval, session, runtime);
    if (!best || (decided.dev?.f1 ?? 0) > (best.dev?.f1 ?? 0)) best = { retrieval, ...decided };
  }
  return best!;
}

async function decideWith(
  retrieval: Retrieval,
  { task, learner, dev, settings, shiftWithoutDev }: Session,
  runtime: RuntimeOptions,
): Promise<Decided> {
  const predictor = await Predictor.create(task.model, learner.store, { runtime, retrieval });
  const decided = await decide(predictor, dev, settings, shiftWithoutDev);
  await predictor.dispose();
  return decided;
}

/** The batches of the last epoch, with the negatives that the sampler picks there. */
function* lastEpoch({ task, settings: { seed, epochs, batchTokens } }: Session): Generator<Batch> {
  const visit = { seed, epoch: epochs - 1 };
  for (const members of epochBatches(task.sizes, { tokens: batchTokens, ...visit }))
    yield task.batch(members, visit).batch;
}

/**
 * The mean hidden state of each label, `[labels, hidden]`, over training batches, without dropout. A label that does not
 * occur, because all its entities are too wide, has a vector of zeros, which retrieval leaves out.
 */
export async function labelCentroids(
  { model, labelSums }: Pick<TrainingTask, "model" | "labelSums">,
  store: ParameterStore,
  batches: Iterable<Batch>,
  runtime?: RuntimeOptions,
): Promise<Float32Array> {
  if (!labelSums || !model.retrieval)
    throw new InputError(`inference: a ${model.head} head cannot use retrieval (known: plain)`);
  const { width } = model.retrieval;
  const labels = model.labels.length;
  const totals = new Float64Array(labels * width);
  const members = new Float64Array(labels);
  const program = await Program.compile({ ...labelSums() }, runtime);
  try {
    for (const { feeds } of batches) {
      const { sums, counts } = await program.run({ ...store.tensors(), ...feeds });
      for (let i = 0; i < totals.length; i++) totals[i]! += sums!.data[i]!;
      for (let label = 0; label < labels; label++) members[label]! += counts!.data[label]!;
    }
  } finally {
    await program.dispose();
  }
  return Float32Array.from(totals, (total, i) => total / Math.max(1, members[Math.floor(i / width)]!));
}
