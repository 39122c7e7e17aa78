import type { BatchSampler, BatchSpans, Candidates, ScoredSampler } from "../../samplers/index.ts";
import {
  cast,
  greater,
  input,
  less,
  putAlong,
  reshape,
  sizeOf,
  type Tensor,
  takeAlong,
  topK,
  where,
} from "../../tensor/index.ts";

/** Unknown spans among which a scored sampler picks, as inputs of the graph. */
export interface CandidateInputs {
  /** int32 `[batch, candidates]` */
  readonly starts: Tensor;
  readonly ends: Tensor;
  /** `[batch, candidates]`: 1 for spans, 0 for padding. */
  readonly present: Tensor;
  /** int32 `[batch]`: how many are picked of each sentence. */
  readonly counts: Tensor;
  /** 0, 1, 2 … up to the largest count: int32 `[chosen]`. */
  readonly slots: Tensor;
}

export function candidateInputs(): CandidateInputs {
  return {
    starts: input("candidate.starts", "int32", ["batch", "candidates"]),
    ends: input("candidate.ends", "int32", ["batch", "candidates"]),
    present: input("candidate.present", "float32", ["batch", "candidates"]),
    counts: input("candidate.counts", "int32", ["batch", 1]),
    slots: input("candidate.slots", "int32", ["chosen"]),
  };
}

/** Spans that were picked: `[batch, chosen]`. */
export interface Selection {
  readonly starts: Tensor;
  readonly ends: Tensor;
  /** 1 where a span was picked, 0 where a sentence needs fewer. */
  readonly weights: Tensor;
  /** Their numbers among the candidates. */
  readonly places: Tensor;
}

/** Lower than any priority. */
const never = -1e30;

export function select(sampler: ScoredSampler, inputs: CandidateInputs, candidates: Candidates): Selection {
  const priority = where(less(inputs.present, 0.5), never, sampler.priority(candidates));
  const { places } = topK(priority, "chosen");
  return {
    places,
    starts: takeAlong(inputs.starts, places),
    ends: takeAlong(inputs.ends, places),
    weights: cast(less(inputs.slots, inputs.counts), "float32"),
  };
}

/** Unknown spans of a batch that were picked to train beside the known ones. */
export interface BatchSelection {
  /** `[batch, spans]`: 1 where a span was picked. */
  readonly weights: Tensor;
  /** int32 `[chosen]`: their numbers among all spans of the batch, sentence after sentence. */
  readonly places: Tensor;
}

export function selectOfBatch(sampler: BatchSampler, spans: BatchSpans): BatchSelection {
  const unknown = input("span.unknown", "float32", ["batch", "spans"]);
  const wanted = input("chosen.weights", "float32", ["chosen"]);
  const size = sizeOf(unknown.shape);
  const priority = where(greater(unknown, 0.5), sampler.priority(spans), never);
  const { places } = topK(reshape(priority, [size]), "chosen");
  return { places, weights: reshape(putAlong(wanted, places, 0, size), unknown.shape) };
}
