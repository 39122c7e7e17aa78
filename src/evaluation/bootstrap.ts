import { random } from "../util/random.ts";
import { type Counts, exactMatching } from "./matching.ts";
import type { SentencePair } from "./pairs.ts";
import { scoreOf } from "./scores.ts";

/** One run of a system: its counts for every sentence of the test set, in order. */
export type RunCounts = readonly Counts[];

export interface BootstrapOptions {
  readonly resamples?: number;
  /** The share of resamples that the interval holds. */
  readonly level?: number;
  readonly seed?: number;
}

export interface Interval {
  /** Mean F1 of the runs on the test set as it is. */
  readonly f1: number;
  readonly low: number;
  readonly high: number;
}

export interface Comparison {
  readonly first: Interval;
  readonly second: Interval;
  /** F1 of the second system minus F1 of the first, with the interval of this difference. */
  readonly difference: { readonly f1: number; readonly low: number; readonly high: number };
  /** Two-sided: how often a difference at least this large would come about if there were none. */
  readonly p: number;
}

const defaults = { resamples: 2000, level: 0.95, seed: 1 };

/** The counts of each sentence on exact boundaries and type, the unit that is drawn. */
export function countsOf({ gold, predicted }: SentencePair): Counts {
  return exactMatching(gold.entities, predicted.entities);
}

/**
 * Percentile confidence interval of micro F1. Each resample draws as many sentences as there are, with replacement;
 * with several runs (seeds) it draws as many runs too, and the figure is their mean F1, so that the interval
 * holds the variance of training as well as that of the test set.
 */
export function confidenceInterval(runs: readonly RunCounts[], options: BootstrapOptions = {}): Interval {
  const settings = checked(options);
  const [samples] = bootstrap([pack(runs)], settings);
  return intervalOf(meanF1(runs), samples!, settings.level);
}

/**
 * Paired bootstrap test (Berg-Kirkpatrick et al. 2012): both systems are scored on the same drawn sentences, each on
 * its own drawn runs. p is the share of resamples in which the difference strays from the observed one by at
 * least the observed one, counting the observed test set as one more resample, so p is never 0.
 */
export function compareSystems(
  first: readonly RunCounts[],
  second: readonly RunCounts[],
  options: BootstrapOptions = {},
): Comparison {
  const settings = checked(options);
  const packed = [pack(first), pack(second)] as const;
  if (packed[0].sentences !== packed[1].sentences) {
    throw new RangeError(
      `bootstrap: both systems need the same sentences, got ${packed[0].sentences} and ${packed[1].sentences}`,
    );
  }
  const [a, b] = bootstrap(packed, settings) as [Float64Array, Float64Array];
  const observed = meanF1(second) - meanF1(first);
  const differences = b.map((value, index) => value - a[index]!);
  const strays = differences.filter((value) => Math.abs(value - observed) >= Math.abs(observed)).length;
  return {
    first: intervalOf(meanF1(first), a, settings.level),
    second: intervalOf(meanF1(second), b, settings.level),
    difference: intervalOf(observed, differences, settings.level),
    p: (strays + 1) / (settings.resamples + 1),
  };
}

/** Runs with the counts of a sentence side by side: correct, predicted, gold. */
interface PackedRuns {
  readonly runs: readonly Float64Array[];
  readonly sentences: number;
}

function pack(runs: readonly RunCounts[]): PackedRuns {
  const sentences = runs[0]?.length;
  if (sentences === undefined) throw new RangeError("bootstrap: a system needs at least one run, got none");
  const packed = runs.map((run) => {
    if (run.length === sentences) return Float64Array.from(run.flatMap((c) => [c.correct, c.predicted, c.gold]));
    throw new RangeError(`bootstrap: all runs need the same sentences, got ${sentences} and ${run.length}`);
  });
  return { runs: packed, sentences };
}

/** The mean F1 of each system in each resample. */
function bootstrap(systems: readonly PackedRuns[], settings: Required<BootstrapOptions>): Float64Array[] {
  const sentences = systems[0]!.sentences;
  const drawn = new Int32Array(sentences);
  const results = systems.map(() => new Float64Array(settings.resamples));
  for (let resample = 0; resample < settings.resamples; resample++) {
    const rng = random(settings.seed, "bootstrap", resample);
    for (let i = 0; i < sentences; i++) drawn[i] = rng.below(sentences);
    for (const [index, { runs }] of systems.entries()) {
      const scores = runs.map((run) => drawnF1(run, drawn));
      const total = scores.reduce((sum) => sum + scores[rng.below(runs.length)]!, 0);
      results[index]![resample] = total / runs.length;
    }
  }
  return results;
}

function drawnF1(run: Float64Array, drawn: Int32Array): number {
  let correct = 0;
  let predicted = 0;
  let gold = 0;
  for (const sentence of drawn) {
    correct += run[3 * sentence]!;
    predicted += run[3 * sentence + 1]!;
    gold += run[3 * sentence + 2]!;
  }
  return scoreOf({ correct, predicted, gold }).f1;
}

function meanF1(runs: readonly RunCounts[]): number {
  const total = (run: RunCounts, key: keyof Counts): number => run.reduce((sum, counts) => sum + counts[key], 0);
  const f1 = (run: RunCounts): number =>
    scoreOf({ correct: total(run, "correct"), predicted: total(run, "predicted"), gold: total(run, "gold") }).f1;
  return runs.reduce((sum, run) => sum + f1(run), 0) / runs.length;
}

function intervalOf(f1: number, samples: Float64Array, level: number): Interval {
  const sorted = Float64Array.from(samples).sort();
  return { f1, low: quantile(sorted, (1 - level) / 2), high: quantile(sorted, (1 + level) / 2) };
}

/** Linear between the two nearest order statistics. */
function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)]!;
  const above = sorted[Math.ceil(position)]!;
  return below + (above - below) * (position - Math.floor(position));
}

function checked(options: BootstrapOptions): Required<BootstrapOptions> {
  const settings = { ...defaults, ...options };
  const { resamples, level } = settings;
  if (!Number.isInteger(resamples) || resamples < 1) {
    throw new RangeError(`bootstrap: resamples must be a whole number above 0, got ${resamples}`);
  }
  if (!(level > 0 && level < 1)) throw new RangeError(`bootstrap: level must lie between 0 and 1, got ${level}`);
  return settings;
}
