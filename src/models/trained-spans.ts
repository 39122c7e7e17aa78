import type { Encoded } from "../encoders/index.ts";
import type { Noise } from "../nn/index.ts";
import type { Scored } from "../objectives/index.ts";
import type { BatchSampler, Sampler, ScoredSampler } from "../samplers/index.ts";
import {
  add,
  cast,
  concat,
  greater,
  input,
  logSoftmax,
  mul,
  stopGradient,
  type Tensor,
  uniform,
} from "../tensor/index.ts";
import { keyOf } from "../util/random.ts";
import type { SpanIndices, SpanScores } from "./scorers.ts";
import { candidateInputs, type Selection, select, selectOfBatch } from "./selection.ts";

/** Scores spans of an encoded batch, with dropout where there is noise. */
export type Scoring = (encoded: Encoded, spans: SpanIndices, noise: Noise | undefined) => SpanScores;

/** What is fed at each step beside the spans. */
export interface Step {
  /** The draws of samplers and objectives. */
  readonly noise: Noise;
  /** Of dropout; without it nothing is dropped. */
  readonly dropout: Noise | undefined;
  readonly epoch: Tensor;
  readonly epochs: number;
}

/** The spans that train in a step, and, when the sampler picks inside the graph, which candidates it picked. */
export interface TrainedSpans extends Scored {
  readonly places?: Tensor;
}

/** Scores everything known and the negatives that the sampler picks. */
export function trainedSpans(score: Scoring, encoded: Encoded, sampler: Sampler, step: Step): TrainedSpans {
  const known = labelledSpans();
  switch (sampler.kind) {
    case "blind":
      return scored(score, encoded, known, step);
    case "scored": {
      const picked = pick(score, encoded, sampler, known.spans, step);
      return { ...scored(score, encoded, joined(known, picked), step), places: picked.places };
    }
    case "batch":
      return pickOfBatch(scored(score, encoded, known, step), sampler);
  }
}

export function spanInputs(): SpanIndices {
  return {
    starts: input("span.starts", "int32", ["batch", "spans"]),
    ends: input("span.ends", "int32", ["batch", "spans"]),
    positions: input("span.positions", "int32", ["time"]),
  };
}

/** Spans with labels: those known, and unknown ones that were put beside them when the batch was made. */
interface LabelledSpans {
  readonly spans: SpanIndices;
  readonly labels: Tensor;
  readonly weights: Tensor;
}

function labelledSpans(): LabelledSpans {
  return {
    spans: spanInputs(),
    labels: input("span.labels", "int32", ["batch", "spans"]),
    weights: input("span.weights", "float32", ["batch", "spans"]),
  };
}

function scored(
  score: Scoring,
  encoded: Encoded,
  { spans, labels, weights }: LabelledSpans,
  { noise, dropout, epoch }: Step,
): Scored & SpanScores {
  const draws = uniform(noise.keys, labels.shape.slice(1), keyOf(0, "objective"));
  return { ...score(encoded, spans, dropout), labels, weights, epoch, noise: draws };
}

function pick(
  score: Scoring,
  encoded: Encoded,
  sampler: ScoredSampler,
  { positions }: SpanIndices,
  { noise, epoch, epochs }: Step,
): Selection {
  const inputs = candidateInputs();
  const fixed = { ...encoded, first: stopGradient(encoded.first), last: stopGradient(encoded.last) };
  const { logits, hidden } = score(fixed, { ...inputs, positions }, undefined);
  return select(sampler, inputs, {
    logProbs: logSoftmax(logits),
    hidden,
    noise: uniform(noise.keys, ["candidates"], keyOf(0, "sampler")),
    epoch,
    epochs,
  });
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

/** All spans are scored already; those that are picked get a weight. */
function pickOfBatch(spans: Scored & SpanScores, sampler: BatchSampler): TrainedSpans {
  const { weights, places } = selectOfBatch(sampler, {
    hidden: stopGradient(spans.hidden),
    vectors: () => stopGradient(spans.vectors()),
    positives: cast(greater(spans.labels, 0), "float32"),
    noise: spans.noise,
  });
  return { ...spans, weights: add(spans.weights, weights), places };
}
