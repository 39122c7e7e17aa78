import { z } from "zod";
import type { Encoded, Encoder } from "../encoders/index.ts";
import { type Noise, Parameters } from "../nn/index.ts";
import type { Objective } from "../objectives/index.ts";
import type { Sampler, ScoredSampler } from "../samplers/index.ts";
import { concat, input, logSoftmax, mul, stopGradient, type Tensor, uniform } from "../tensor/index.ts";
import { keyOf } from "../util/random.ts";
import { type ScorerName, type SpanIndices, scorers } from "./scorers.ts";
import { candidateInputs, type Selection, select } from "./selection.ts";

export const spanModelSettings = z.strictObject({
  /** `product`: start, end, difference and product; `width`: start, end and width through two layers. */
  scorer: z.enum(Object.keys(scorers) as [ScorerName, ...ScorerName[]]).default("product"),
  /** Width of a span's hidden state. */
  hidden: z.int().min(1).default(256),
  /** Of token vectors before they are joined to spans, and of the spans' hidden states. */
  dropout: z.number().min(0).lt(1).default(0.3),
  /** The widest span that is scored, in tokens; `auto` keeps 99.9 % of the training entities. */
  maxWidth: z.union([z.literal("auto"), z.int().min(1)]).default("auto"),
});
/** With the width decided. */
export type SpanModelSettings = Omit<z.output<typeof spanModelSettings>, "maxWidth"> & { readonly maxWidth: number };

/** A scalar loss and, when the sampler picks inside the graph, the numbers of the picked candidates `[batch, chosen]`. */
export interface TrainingGraph {
  readonly loss: Tensor;
  readonly places?: Tensor;
}

/** An encoder and a classifier of spans. Label 0 is "not an entity". */
export interface SpanModel {
  readonly encoder: Encoder;
  readonly types: readonly string[];
  readonly settings: SpanModelSettings;
  readonly params: Parameters;
  /** The graph of a training step. */
  training(objective: Objective, sampler: Sampler, epochs: number): TrainingGraph;
  /** The graph of prediction: log-probabilities `[batch, spans, labels]`. */
  prediction(): Tensor;
}

/** `outsideBias` is where the training of the bias of label 0 starts; see the scorers. */
export function spanModel(
  encoder: Encoder,
  types: readonly string[],
  settings: SpanModelSettings,
  outsideBias = 0,
): SpanModel {
  const params = new Parameters();
  const scorer = { ...settings, labels: types.length + 1, outsideBias };
  const score = scorers[settings.scorer];
  const pick = (sampler: ScoredSampler, encoded: Encoded, { positions }: SpanIndices, step: Step): Selection => {
    const inputs = candidateInputs();
    const fixed = { ...encoded, first: stopGradient(encoded.first), last: stopGradient(encoded.last) };
    const scores = score(params, fixed, { ...inputs, positions }, scorer, undefined);
    return select(sampler, inputs, {
      logProbs: logSoftmax(scores.logits),
      hidden: scores.hidden,
      noise: uniform(step.noise.keys, ["candidates"], keyOf(0, "sampler")),
      epoch: step.epoch,
      epochs: step.epochs,
    });
  };
  const model: SpanModel = {
    encoder,
    types,
    settings,
    params,
    training(objective, sampler, epochs) {
      const noise = { keys: input("noise", "int32", ["batch"]) };
      const epoch = input("epoch", "float32", []);
      const encoded = encoder.build(params, { noise });
      const known = knownSpans();
      const picked =
        sampler.kind === "scored" ? pick(sampler, encoded, known.spans, { noise, epoch, epochs }) : undefined;
      const { spans, labels, weights } = picked ? joined(known, picked) : known;
      const loss = objective.loss({ ...score(params, encoded, spans, scorer, noise), labels, weights, epoch });
      return picked ? { loss, places: picked.places } : { loss };
    },
    prediction: () => logSoftmax(score(params, encoder.build(params, {}), spanInputs(), scorer, undefined).logits),
  };
  model.prediction(); // declares every parameter, so that they exist before the first step
  return model;
}

interface Step {
  readonly noise: Noise;
  readonly epoch: Tensor;
  readonly epochs: number;
}

/** Spans with labels: those known, and unknown ones that a blind sampler picked when the batch was made. */
interface LabelledSpans {
  readonly spans: SpanIndices;
  readonly labels: Tensor;
  readonly weights: Tensor;
}

function knownSpans(): LabelledSpans {
  return {
    spans: spanInputs(),
    labels: input("span.labels", "int32", ["batch", "spans"]),
    weights: input("span.weights", "float32", ["batch", "spans"]),
  };
}

/** Picked spans are negatives: label 0. */
function joined({ spans, labels, weights }: LabelledSpans, picked: Selection): LabelledSpans {
  const both = (a: Tensor, b: Tensor): Tensor => concat([a, b], 1);
  return {
    spans: { ...spans, starts: both(spans.starts, picked.starts), ends: both(spans.ends, picked.ends) },
    labels: both(labels, mul(picked.places, 0)),
    weights: both(weights, picked.weights),
  };
}

function spanInputs(): SpanIndices {
  return {
    starts: input("span.starts", "int32", ["batch", "spans"]),
    ends: input("span.ends", "int32", ["batch", "spans"]),
    positions: input("span.positions", "int32", ["time"]),
  };
}
