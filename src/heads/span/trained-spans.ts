import type { Encoded } from "../../encoders/index.ts";
import { type Noise, widthOf } from "../../nn/index.ts";
import type { Scored } from "../../objectives/index.ts";
import type { BatchSampler, Sampler, ScoredSampler } from "../../samplers/index.ts";
import {
  add,
  cast,
  concat,
  greater,
  input,
  logSoftmax,
  mul,
  oneHot,
  stopGradient,
  sub,
  type Tensor,
  uniform,
  unsqueeze,
} from "../../tensor/index.ts";
import { keyOf } from "../../util/random.ts";
import type { SpanIndices, SpanScores } from "./scorers.ts";
import { candidateInputs, type Selection, select, selectOfBatch } from "./selection.ts";
import type { Supervision } from "./supervision.ts";

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
export function trainedSpans(
  score: Scoring,
  encoded: Encoded,
  sampler: Sampler,
  step: Step,
  supervision: Supervision,
): TrainedSpans {
  const known = labelledSpans(supervision);
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
  /** `[batch, spans, labels]`, where some spans are restricted or have a target. */
  readonly allowed: Tensor | undefined;
  readonly targets: Tensor | undefined;
}

function labelledSpans({ sets, restricted, soft }: Supervision): LabelledSpans {
  const perLabel = (name: string): Tensor => input(name, "float32", ["batch", "spans", sets.types.length + 1]);
  return {
    spans: spanInputs(),
    labels: input("span.labels", "int32", ["batch", "spans"]),
    weights: input("span.weights", "float32", ["batch", "spans"]),
    allowed: restricted ? perLabel("span.allowed") : undefined,
    targets: soft ? perLabel("span.targets") : undefined,
  };
}

function scored(
  score: Scoring,
  encoded: Encoded,
  { spans, labels, weights, allowed, targets }: LabelledSpans,
  { noise, dropout, epoch }: Step,
): Scored & SpanScores {
  const draws = uniform(noise.keys, labels.shape.slice(1), keyOf(0, "objective"));
  return { ...score(encoded, spans, dropout), labels, weights, allowed, targets, epoch, noise: draws };
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

/** Picked spans are negatives: label 0, which alone is allowed, and no target. */
function joined({ spans, labels, weights, allowed, targets }: LabelledSpans, picked: Selection): LabelledSpans {
  const both = (a: Tensor, b: Tensor): Tensor => concat([a, b], 1);
  const outside = (given: Tensor): Tensor => oneHot(mul(picked.places, 0), widthOf(given));
  return {
    allowed: allowed && both(allowed, outside(allowed)),
    targets: targets && both(targets, mul(outside(targets), 0)),
    spans: { ...spans, starts: both(spans.starts, picked.starts), ends: both(spans.ends, picked.ends) },
    labels: both(labels, mul(picked.places, 0)),
    weights: both(weights, picked.weights),
  };
}

/** All spans are scored already; those that are picked get a weight, and the restricted ones among them must be O. */
function pickOfBatch(spans: Scored & SpanScores, sampler: BatchSampler): TrainedSpans {
  const { weights, places } = selectOfBatch(sampler, {
    hidden: stopGradient(spans.hidden),
    vectors: () => stopGradient(spans.vectors()),
    positives: cast(greater(spans.labels, 0), "float32"),
    noise: spans.noise,
  });
  const { allowed } = spans;
  if (!allowed) return { ...spans, weights: add(spans.weights, weights), places };
  const picked = unsqueeze(weights, -1);
  const outside = oneHot(mul(spans.labels, 0), widthOf(allowed));
  return {
    ...spans,
    // A span that trains already does not weigh more for being picked.
    weights: add(spans.weights, mul(weights, sub(1, spans.weights))),
    allowed: add(mul(allowed, sub(1, picked)), mul(outside, picked)),
    places,
  };
}
