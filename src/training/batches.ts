import { random, shuffled } from "../util/random.ts";

export interface BatchOptions {
  /** Padded tokens in a batch: sentences × longest. */
  readonly tokens: number;
  readonly seed: number;
  readonly epoch: number;
}

/** So many batches' worth of sentences are sorted by length together: little padding, yet a new mix in every epoch. */
const bucketBatches = 40;

/**
 * The batches of an epoch as lists of item numbers: shuffled, sentences of like length together, each batch as large as
 * the token budget allows. A pure function of lengths, seed and epoch.
 */
export function epochBatches(lengths: readonly number[], { tokens, seed, epoch }: BatchOptions): number[][] {
  const rng = random(seed, "batches", epoch);
  const order = shuffled(
    lengths.map((_, i) => i),
    rng,
  );
  const batches: number[][] = [];
  let bucket: number[] = [];
  let size = 0;
  const flush = (): void => {
    bucket.sort((a, b) => lengths[a]! - lengths[b]! || a - b);
    batches.push(...packed(bucket, lengths, tokens));
    bucket = [];
    size = 0;
  };
  for (const item of order) {
    bucket.push(item);
    size += lengths[item]!;
    if (size >= bucketBatches * tokens) flush();
  }
  if (bucket.length > 0) flush();
  return shuffled(batches, rng);
}

/** Cuts items sorted by length into batches that keep the budget; an item above it stands alone. */
function packed(sorted: readonly number[], lengths: readonly number[], tokens: number): number[][] {
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const item of sorted) {
    if (batch.length > 0 && (batch.length + 1) * lengths[item]! > tokens) {
      batches.push(batch);
      batch = [];
    }
    batch.push(item);
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
