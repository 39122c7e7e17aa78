import type { Encoder, Lookup } from "../encoders/index.ts";
import type { Sampler } from "../samplers/index.ts";
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

/** The spans that a sentence trains at one visit: everything known, and the unknown ones that the sampler picks. */
export function drawSpans(
  item: TrainingItem,
  sampler: Sampler,
  { seed, epoch }: Visit,
): { known: number[]; drawn: number[] } {
  const known: number[] = [];
  const unknown: number[] = [];
  item.states.forEach((state, index) => {
    if (state >= 0) known.push(index);
    else if (state === unknownSpan) unknown.push(index);
  });
  const rng = random(seed, "sample", epoch, item.id);
  const picks = sampler.choose({ length: item.grid.length, candidates: unknown.length, epoch, rng });
  return { known, drawn: Array.from(picks, (pick) => unknown[pick]!) };
}

export function trainingBatch(
  items: readonly TrainingItem[],
  encoder: Encoder,
  sampler: Sampler,
  visit: Visit,
): { batch: Batch; counts: BatchCounts } {
  const draws = items.map((item) => drawSpans(item, sampler, visit));
  const spans = items.map((_, b) => [...draws[b]!.known, ...draws[b]!.drawn]);
  const { batch, width } = spanBatch(items, encoder, spans);
  const labels = new Int32Array(items.length * width);
  const weights = new Float32Array(items.length * width);
  let positives = 0;
  spans.forEach((indices, b) => {
    const { states } = items[b]!;
    indices.forEach((index, s) => {
      labels[b * width + s] = Math.max(0, states[index]!);
      weights[b * width + s] = 1;
      if (states[index]! > 0) positives++;
    });
  });
  const shape = [items.length, width];
  batch.feeds["span.labels"] = { data: labels, shape };
  batch.feeds["span.weights"] = { data: weights, shape };
  const keys = items.map(({ id }) => keyOf(visit.seed, "dropout", visit.epoch, id) | 0);
  batch.feeds.noise = { data: Int32Array.from(keys), shape: [items.length] };
  batch.feeds.epoch = { data: Float32Array.of(visit.epoch), shape: [] };
  const counts = {
    tokens: items.reduce((total, { grid }) => total + grid.length, 0),
    positives,
    negatives: draws.reduce((total, { drawn }) => total + drawn.length, 0),
    missampled: draws.reduce(
      (total, { drawn }, b) => total + drawn.filter((index) => items[b]!.hidden?.has(index)).length,
      0,
    ),
  };
  return { batch, counts };
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
