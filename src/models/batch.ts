import type { Encoder, Lookup } from "../encoders/index.ts";
import type { BatchSampler, BlindSampler, Sampler, ScoredSampler } from "../samplers/index.ts";
import type { Data } from "../tensor/index.ts";
import type { Sentence } from "../text/index.ts";
import { keyOf, random } from "../util/random.ts";
import { longest, type SpanGrid, unknownSpan } from "./span-grid.ts";

/** A sentence ready for training: its grid, what is known of each span, and (in studies) which unknown spans are hidden entities. */
export interface TrainingItem {
  /** Its number in the corpus: the key of all randomness about it. */
  readonly id: number;
  readonly sentence: Sentence;
  readonly grid: SpanGrid;
  readonly states: Int16Array;
  readonly hidden?: ReadonlySet<number> | undefined;
}

/** A batch as numbers, for the graph and for the tables outside of it. */
export interface Batch {
  readonly feeds: Record<string, Data>;
  readonly lookups: readonly Lookup[];
}

/** What a training batch holds, for the records. */
export interface BatchCounts {
  readonly tokens: number;
  readonly positives: number;
  /** Unknown spans that serve as negatives. */
  readonly negatives: number;
  /** How many of these are hidden entities. */
  readonly missampled: number;
}

export interface Visit {
  readonly seed: number;
  readonly epoch: number;
}

/** A training batch, and what it turned out to hold once a sampler inside the graph has picked. */
export interface TrainingBatch {
  readonly batch: Batch;
  /** `places` is the graph's output of that name, when the sampler picks inside it. */
  counts(places?: Int32Array): BatchCounts;
}

/** Numbers of the grid: spans of which something is known, and unknown ones. */
function spansOf({ states }: TrainingItem): { known: number[]; unknown: number[] } {
  const known: number[] = [];
  const unknown: number[] = [];
  states.forEach((state, index) => {
    if (state >= 0) known.push(index);
    else if (state === unknownSpan) unknown.push(index);
  });
  return { known, unknown };
}

/** The spans that a sentence trains at one visit: everything known, and the unknown ones that a blind sampler picks. */
export function drawSpans(
  item: TrainingItem,
  sampler: BlindSampler,
  { seed, epoch }: Visit,
): { known: number[]; drawn: number[] } {
  const { known, unknown } = spansOf(item);
  const picks = sampler.choose({
    length: item.grid.length,
    candidates: unknown.length,
    epoch,
    rng: random(seed, "sample", epoch, item.id),
    fixedRng: random(seed, "sample once", item.id),
  });
  return { known, drawn: Array.from(picks, (pick) => unknown[pick]!) };
}

/** How many unknown spans serve as negatives at a visit of all items; for samplers over batches, as if they were one. */
export function drawnCount(items: readonly TrainingItem[], sampler: Sampler, visit: Visit): number {
  const total = (count: (item: TrainingItem) => number): number => items.reduce((sum, item) => sum + count(item), 0);
  switch (sampler.kind) {
    case "blind":
      return total((item) => drawSpans(item, sampler, visit).drawn.length);
    case "scored":
      return total((item) =>
        sampler.count({ length: item.grid.length, candidates: spansOf(item).unknown.length, epoch: visit.epoch }),
      );
    case "batch":
      return sampler.count({
        candidates: total((item) => spansOf(item).unknown.length),
        positives: total(positivesOf),
      });
  }
}

/** Labelled entities that are no wider than the grid. */
function positivesOf({ states }: TrainingItem): number {
  return states.reduce((count, state) => count + (state > 0 ? 1 : 0), 0);
}

export function trainingBatch(
  items: readonly TrainingItem[],
  encoder: Encoder,
  sampler: Sampler,
  visit: Visit,
): TrainingBatch {
  if (sampler.kind === "scored") return scoredBatch(items, encoder, sampler, visit);
  if (sampler.kind === "batch") return wholeBatch(items, encoder, sampler, visit);
  const draws = items.map((item) => drawSpans(item, sampler, visit));
  const batch = labelledBatch(
    items,
    encoder,
    draws.map(({ known, drawn }) => [...known, ...drawn]),
    visit,
  );
  return {
    batch,
    counts: () =>
      countSpans(
        items,
        draws.map(({ drawn }) => drawn),
      ),
  };
}

/** Known spans for training, and beside them all unknown ones, among which the graph picks. */
function scoredBatch(
  items: readonly TrainingItem[],
  encoder: Encoder,
  sampler: ScoredSampler,
  visit: Visit,
): TrainingBatch {
  const spans = items.map(spansOf);
  const batch = labelledBatch(
    items,
    encoder,
    spans.map(({ known }) => known),
    visit,
  );
  const unknown = spans.map((each) => each.unknown);
  const picks = items.map(({ grid }, b) =>
    sampler.count({ length: grid.length, candidates: unknown[b]!.length, epoch: visit.epoch }),
  );
  const { starts, ends, width } = spanArrays(items, unknown);
  const present = new Float32Array(items.length * width);
  unknown.forEach(({ length }, b) => {
    present.fill(1, b * width, b * width + length);
  });
  const shape = [items.length, width];
  const chosen = Math.max(1, ...picks);
  Object.assign(batch.feeds, {
    "candidate.starts": { data: starts, shape },
    "candidate.ends": { data: ends, shape },
    "candidate.present": { data: present, shape },
    "candidate.counts": { data: Int32Array.from(picks), shape: [items.length, 1] },
    "candidate.slots": { data: Int32Array.from({ length: chosen }, (_, i) => i), shape: [chosen] },
  });
  const drawn = (places: Int32Array): number[][] =>
    picks.map((count, b) =>
      Array.from(places.subarray(b * chosen, b * chosen + count), (place) => unknown[b]![place]!),
    );
  return { batch, counts: (places) => countSpans(items, drawn(places!)) };
}

/** Known and unknown spans together; the graph picks among the unknown ones of all sentences. */
function wholeBatch(
  items: readonly TrainingItem[],
  encoder: Encoder,
  sampler: BatchSampler,
  visit: Visit,
): TrainingBatch {
  const spans = items.map((item) => {
    const { known, unknown } = spansOf(item);
    return { known: known.length, all: [...known, ...unknown] };
  });
  const batch = labelledBatch(
    items,
    encoder,
    spans.map(({ all }) => all),
    visit,
  );
  const weights = batch.feeds["span.weights"]!;
  const width = weights.shape[1]!;
  const unknown = new Float32Array(weights.data.length);
  spans.forEach(({ known, all }, b) => {
    unknown.fill(1, b * width + known, b * width + all.length);
    weights.data.fill(0, b * width + known, b * width + all.length);
  });
  const count = sampler.count({
    candidates: spans.reduce((total, { known, all }) => total + all.length - known, 0),
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
      result[b]!.push(spans[b]!.all[place % width]!);
    }
    return result;
  };
  return { batch, counts: (places) => countSpans(items, drawn(places!)) };
}

/** A batch of spans with what their states say: their label, or 0 for negatives, known or drawn. */
function labelledBatch(
  items: readonly TrainingItem[],
  encoder: Encoder,
  spans: readonly number[][],
  { seed, epoch }: Visit,
): Batch {
  const { batch, width } = spanBatch(items, encoder, spans);
  const labels = new Int32Array(items.length * width);
  const weights = new Float32Array(items.length * width);
  spans.forEach((indices, b) => {
    const { states } = items[b]!;
    indices.forEach((index, s) => {
      labels[b * width + s] = Math.max(0, states[index]!);
      weights[b * width + s] = 1;
    });
  });
  const shape = [items.length, width];
  const keys = items.map(({ id }) => keyOf(seed, "dropout", epoch, id) | 0);
  Object.assign(batch.feeds, {
    "span.labels": { data: labels, shape },
    "span.weights": { data: weights, shape },
    noise: { data: Int32Array.from(keys), shape: [items.length] },
    epoch: { data: Float32Array.of(epoch), shape: [] },
  });
  return batch;
}

function countSpans(items: readonly TrainingItem[], drawn: readonly (readonly number[])[]): BatchCounts {
  let [tokens, positives, negatives, missampled] = [0, 0, 0, 0];
  items.forEach(({ grid, sentence, hidden }, b) => {
    tokens += grid.length;
    positives += sentence.entities.length;
    negatives += drawn[b]!.length;
    for (const index of drawn[b]!) if (hidden?.has(index)) missampled++;
  });
  return { tokens, positives, negatives, missampled };
}

/** All spans of the grids, in their order. */
export function predictionBatch(
  items: readonly Pick<TrainingItem, "sentence" | "grid">[],
  encoder: Encoder,
): { batch: Batch; width: number } {
  const spans = items.map(({ grid }) => Int32Array.from({ length: grid.size }, (_, index) => index));
  return spanBatch(items, encoder, spans);
}

function spanBatch(
  items: readonly Pick<TrainingItem, "sentence" | "grid">[],
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

/** First and last tokens of spans by their numbers in the grid, sentence by sentence, padded to one width. */
function spanArrays(
  items: readonly Pick<TrainingItem, "grid">[],
  spans: readonly ArrayLike<number>[],
): { starts: Int32Array; ends: Int32Array; width: number } {
  // One padded span at the least: an axis of nothing has no place in a product.
  const width = Math.max(1, ...spans.map(({ length }) => length));
  const starts = new Int32Array(items.length * width);
  const ends = new Int32Array(items.length * width);
  items.forEach(({ grid }, b) => {
    const [from, to] = [grid.starts(), grid.ends()];
    for (let s = 0; s < spans[b]!.length; s++) {
      starts[b * width + s] = from[spans[b]![s]!]!;
      ends[b * width + s] = to[spans[b]![s]!]! - 1;
    }
  });
  return { starts, ends, width };
}
