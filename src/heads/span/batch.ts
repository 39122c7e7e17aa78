import type { Encoder } from "../../encoders/index.ts";
import type { BatchSampler, Sampler, ScoredSampler } from "../../samplers/index.ts";
import type { Sentence } from "../../text/index.ts";
import type { Batch, BatchCounts, Visit } from "../head.ts";
import { drawSpans } from "./draws.ts";
import { longest, type SpanGrid } from "./grid.ts";
import { partsOf, positivesOf, type SpanItem } from "./items.ts";
import { spanArrays } from "./span-arrays.ts";
import { type Supervision, supervise } from "./supervision.ts";

/** A training batch, and what it turned out to hold once a sampler inside the graph has picked. */
export interface TrainingBatch {
  readonly batch: Batch;
  /** `places` is the graph's output of that name, when the sampler picks inside it. */
  counts(places?: Int32Array): BatchCounts;
}

export function trainingBatch(
  items: readonly SpanItem[],
  encoder: Encoder,
  sampler: Sampler,
  visit: Visit,
  supervision: Supervision,
): TrainingBatch {
  if (sampler.kind === "scored") return scoredBatch(items, encoder, sampler, visit, supervision);
  if (sampler.kind === "batch") return wholeBatch(items, encoder, sampler, visit, supervision);
  const draws = items.map((item) => drawSpans(item, sampler, visit));
  const spans = draws.map(({ known, drawn }) => [...known, ...drawn]);
  const { batch, width } = spanBatch(items, encoder, spans);
  const known = draws.map((draw) => draw.known.length);
  Object.assign(batch.feeds, supervise(items, spans, known, width, visit, supervision));
  return {
    batch,
    counts: () =>
      countSpans(
        items,
        draws.map(({ drawn }) => drawn),
      ),
  };
}

/** Known spans for training, and beside them all candidates, among which the graph picks. */
function scoredBatch(
  items: readonly SpanItem[],
  encoder: Encoder,
  sampler: ScoredSampler,
  visit: Visit,
  supervision: Supervision,
): TrainingBatch {
  const parts = items.map(partsOf);
  const known = parts.map((each) => each.known);
  const { batch, width } = spanBatch(items, encoder, known);
  const lengths = known.map(({ length }) => length);
  Object.assign(batch.feeds, supervise(items, known, lengths, width, visit, supervision));
  const candidates = parts.map((each) => each.candidates);
  const picks = items.map(({ grid }, b) =>
    sampler.count({ length: grid.length, candidates: candidates[b]!.length, epoch: visit.epoch }),
  );
  Object.assign(batch.feeds, candidateFeeds(items, candidates, picks));
  const chosen = Math.max(1, ...picks);
  const drawn = (places: Int32Array): number[][] =>
    picks.map((count, b) =>
      Array.from(places.subarray(b * chosen, b * chosen + count), (place) => candidates[b]![place]!),
    );
  return { batch, counts: (places) => countSpans(items, drawn(places!)) };
}

function candidateFeeds(
  items: readonly SpanItem[],
  candidates: readonly (readonly number[])[],
  picks: readonly number[],
): Batch["feeds"] {
  const { starts, ends, width } = spanArrays(items, candidates);
  const present = new Float32Array(items.length * width);
  candidates.forEach(({ length }, b) => {
    present.fill(1, b * width, b * width + length);
  });
  const shape = [items.length, width];
  const chosen = Math.max(1, ...picks);
  return {
    "candidate.starts": { data: starts, shape },
    "candidate.ends": { data: ends, shape },
    "candidate.present": { data: present, shape },
    "candidate.counts": { data: Int32Array.from(picks), shape: [items.length, 1] },
    "candidate.slots": { data: Int32Array.from({ length: chosen }, (_, i) => i), shape: [chosen] },
  };
}

/** Known spans and candidates together; the graph picks among the candidates of all sentences. */
function wholeBatch(
  items: readonly SpanItem[],
  encoder: Encoder,
  sampler: BatchSampler,
  visit: Visit,
  supervision: Supervision,
): TrainingBatch {
  const spans = items.map((item) => {
    const { known, candidates } = partsOf(item);
    // Restricted spans are both; they stand once.
    const both = new Set(candidates);
    const rest = new Set(known);
    return { known, all: [...known, ...candidates.filter((index) => !rest.has(index))], both };
  });
  const all = spans.map((each) => each.all);
  const known = spans.map((each) => each.known.length);
  const { batch, width } = spanBatch(items, encoder, all);
  Object.assign(batch.feeds, supervise(items, all, known, width, visit, supervision));
  const weights = batch.feeds["span.weights"]!;
  const unknown = new Float32Array(weights.data.length);
  spans.forEach(({ known: { length }, all: indices, both }, b) => {
    indices.forEach((index, s) => {
      if (both.has(index)) unknown[b * width + s] = 1;
    });
    weights.data.fill(0, b * width + length, b * width + indices.length);
  });
  const count = sampler.count({
    candidates: spans.reduce((total, { both }) => total + both.size, 0),
    positives: items.reduce((total, item) => total + positivesOf(item), 0),
  });
  // One place at the least, which weighs nothing when no span is wanted.
  const chosen = new Float32Array(Math.max(1, count)).fill(1, 0, count);
  Object.assign(batch.feeds, {
    "span.unknown": { data: unknown, shape: weights.shape },
    "chosen.weights": { data: chosen, shape: [chosen.length] },
  });
  const drawn = (places: Int32Array): number[][] => {
    const result = items.map((): number[] => []);
    for (const place of places.subarray(0, count)) {
      const b = Math.floor(place / width);
      result[b]!.push(all[b]![place % width]!);
    }
    return result;
  };
  return { batch, counts: (places) => countSpans(items, drawn(places!)) };
}

function countSpans(items: readonly SpanItem[], drawn: readonly (readonly number[])[]): BatchCounts {
  let [tokens, positives, negatives, missampled] = [0, 0, 0, 0];
  items.forEach(({ grid, sentence, hidden }, b) => {
    tokens += grid.length;
    positives += sentence.entities.length;
    negatives += drawn[b]!.length;
    for (const index of drawn[b]!) if (hidden?.has(index)) missampled++;
  });
  return { tokens, positives, negatives, missampled };
}

/** A sentence and its spans. */
interface Gridded {
  readonly sentence: Sentence;
  readonly grid: SpanGrid;
}

/** Spans of sentences, by their numbers in the grids, as numbers; rows are padded to `width` spans. */
export function spanBatch(
  items: readonly Gridded[],
  encoder: Encoder,
  spans: readonly ArrayLike<number>[],
): { batch: Batch; width: number } {
  const sentences = items.map(({ sentence }) => sentence);
  const { feeds, lookups } = encoder.batch(sentences);
  const { starts, ends, width } = spanArrays(items, spans);
  const time = longest(sentences);
  const shape = [items.length, width];
  return {
    width,
    batch: {
      lookups,
      feeds: {
        ...feeds,
        "span.starts": { data: starts, shape },
        "span.ends": { data: ends, shape },
        "span.positions": { data: Int32Array.from({ length: time }, (_, i) => i), shape: [time] },
      },
    },
  };
}
