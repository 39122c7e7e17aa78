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

/** F1 of one run: on the test set as it is and in each resample. */
export interface ResampledRun {
  readonly f1: number;
  readonly samples: Float64Array;
}

/**
 * Percentile confidence interval of micro F1. Each resample draws as many sentences as there are, with replacement;
 * with several runs (seeds) it draws as many runs too, and the figure is their mean F1, so that the interval
 * holds the variance of training as well as that of the test set.
 */
export function confidenceInterval(runs: readonly RunCounts[], options: BootstrapOptions = {}): Interval {
  const settings = checked(options);
  const [system] = drawRuns([resample(runs, settings)], settings);
  return intervalOf(system!, settings.level);
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
  const [a, b] = [first, second].map((runs) => sentencesOf(runs));
  if (a !== b) throw new RangeError(`bootstrap: both systems need the same sentences, got ${a} and ${b}`);
  const runs = resample([...first, ...second], options);
  return compareResampled(runs.slice(0, first.length), runs.slice(first.length), options);
}

/** The same test between runs that were drawn together. */
export function compareResampled(
  first: readonly ResampledRun[],
  second: readonly ResampledRun[],
  options: BootstrapOptions = {},
): Comparison {
  const settings = checked(options);
  const [a, b] = drawRuns([first, second], settings) as [ResampledRun, ResampledRun];
  const difference = { f1: b.f1 - a.f1, samples: b.samples.map((value, index) => value - a.samples[index]!) };
  const far = Math.abs(difference.f1);
  const strays = difference.samples.filter((value) => Math.abs(value - difference.f1) >= far).length;
  return {
    first: intervalOf(a, settings.level),
    second: intervalOf(b, settings.level),
    difference: intervalOf(difference, settings.level),
    p: (strays + 1) / (settings.resamples + 1),
  };
}

/** Scores runs on the same drawn sentences, all in one pass, since it is the draws that take the time. */
export function resample(runs: readonly RunCounts[], options: BootstrapOptions = {}): ResampledRun[] {
  const settings = checked(options);
  const sentences = sentencesOf(runs);
  const packed = runs.map(pack);
  const resampled = runs.map((run) => ({ f1: f1Of(run), samples: new Float64Array(settings.resamples) }));
  const times = new Uint32Array(sentences);
  for (let index = 0; index < settings.resamples; index++) {
    const rng = random(settings.seed, "bootstrap", index);
    times.fill(0);
    for (let i = 0; i < sentences; i++) times[rng.below(sentences)]!++;
    for (const [i, { samples }] of resampled.entries()) samples[index] = drawnF1(packed[i]!, times);
  }
  return resampled;
}

/** The number of sentences of a test set that all runs share. */
function sentencesOf(runs: readonly RunCounts[]): number {
  const sentences = runs[0]?.length;
  if (sentences === undefined) throw new RangeError("bootstrap: a system needs at least one run, got none");
  const other = runs.find((run) => run.length !== sentences);
  if (other === undefined) return sentences;
  throw new RangeError(`bootstrap: all runs need the same sentences, got ${sentences} and ${other.length}`);
}

/** Sentence, correct, predicted and gold, side by side, for sentences that have entities. */
function pack(run: RunCounts): Int32Array {
  return Int32Array.from(
    run.flatMap(({ correct, predicted, gold }, sentence) =>
      predicted + gold > 0 ? [sentence, correct, predicted, gold] : [],
    ),
  );
}

/** F1 where each sentence counts so many times. */
function drawnF1(packed: Int32Array, times: Uint32Array): number {
  let correct = 0;
  let predicted = 0;
  let gold = 0;
  for (let at = 0; at < packed.length; at += 4) {
    const drawn = times[packed[at]!]!;
    correct += drawn * packed[at + 1]!;
    predicted += drawn * packed[at + 2]!;
    gold += drawn * packed[at + 3]!;
  }
  return scoreOf({ correct, predicted, gold }).f1;
}

function f1Of(run: RunCounts): number {
  const total = (key: keyof Counts): number => run.reduce((sum, counts) => sum + counts[key], 0);
  return scoreOf({ correct: total("correct"), predicted: total("predicted"), gold: total("gold") }).f1;
}

/** The mean F1 of each system: of its runs as they are, and of as many drawn runs in each resample. */
function drawRuns(
  systems: readonly (readonly ResampledRun[])[],
  { seed, resamples }: Required<BootstrapOptions>,
): ResampledRun[] {
  const drawn = systems.map((runs) => ({
    f1: runs.reduce((sum, { f1 }) => sum + f1, 0) / runs.length,
    samples: new Float64Array(resamples),
  }));
  for (let index = 0; index < resamples; index++) {
    const rng = random(seed, "bootstrap runs", index);
    for (const [system, runs] of systems.entries()) {
      const total = runs.reduce((sum) => sum + runs[rng.below(runs.length)]!.samples[index]!, 0);
      drawn[system]!.samples[index] = total / runs.length;
    }
  }
  return drawn;
}

function intervalOf({ f1, samples }: ResampledRun, level: number): Interval {
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
