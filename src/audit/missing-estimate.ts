import { gaussian, type Random, random } from "../util/random.ts";
import type { Calibration, Evidence } from "./calibration.ts";
import { missingProbability, type NoiseRates } from "./noise-model.ts";

/** How many entities of a type are expected to be missing, with a 95 % interval. */
export interface MissingEstimate {
  readonly type: string;
  readonly labelled: number;
  readonly missing: number;
  readonly low: number;
  readonly high: number;
}

/** A span that may be missing a label. */
export interface PossibleGap {
  readonly type: string;
  readonly evidence: Evidence;
}

export interface EstimateOptions {
  readonly types: readonly string[];
  /** How often each type is labelled. */
  readonly labelled: ReadonlyMap<string, number>;
  readonly rates: NoiseRates;
  readonly calibration: Calibration;
  /** It rests on text whose annotation is complete. */
  readonly calibrated: boolean;
  /** The calibration as it would be with other data of the same kind. */
  redraw(rng: Random): Calibration;
  readonly seed: number;
}

const draws = 100;
/** Evidence is told apart to this many places. */
const places = 3;
const level = 0.95;
/** How far, in proportion, the labels may mislead about what is missing where nothing else is known: one standard deviation. */
const misled = 0.1;

/**
 * Sums the probabilities of all spans that may be missing a label. The interval covers the calibration, drawn anew, and
 * chance in each span; where labels alone calibrate, also that those which are missing may be harder to find than those
 * which are not, as names are of which every mention is missing.
 */
export function estimateMissing(gaps: readonly PossibleGap[], options: EstimateOptions): MissingEstimate[] {
  const { types, labelled, calibration, redraw, seed } = options;
  const gapBy = (entity: Calibration) => (evidence: Evidence) =>
    missingProbability(entity(evidence), evidence.label, options.rates, options.calibrated);
  const counted = countedGaps(gaps, types);
  const expected = sums(counted, types.length, gapBy(calibration));
  const drawn = Array.from({ length: draws }, (_, draw) => {
    const rng = random(seed, "missing", draw);
    const factor = options.calibrated ? 1 : Math.exp(misled * gaussian(rng));
    return sums(counted, types.length, gapBy(redraw(rng))).map(({ mean, variance }) =>
      Math.max(0, factor * mean + Math.sqrt(variance) * gaussian(rng)),
    );
  });
  return types.map((type, number) => {
    const sorted = drawn.map((each) => each[number]!).sort((a, b) => a - b);
    const edge = Math.floor(((1 - level) / 2) * draws);
    const missing = expected[number]!.mean;
    return {
      type,
      labelled: labelled.get(type) ?? 0,
      missing,
      low: Math.min(missing, sorted[edge]!),
      high: Math.max(missing, sorted[draws - 1 - edge]!),
    };
  });
}

/** Gaps that are alike, and how many there are. */
interface CountedGap {
  readonly type: number;
  readonly evidence: Evidence;
  count: number;
}

/** There may be hundreds of thousands; the sums do not need them one by one. */
function countedGaps(gaps: readonly PossibleGap[], types: readonly string[]): readonly CountedGap[] {
  const found = new Map<string, CountedGap>();
  for (const { type, evidence } of gaps) {
    const [label, ordinary] = [evidence.label, evidence.ordinary].map((each) => Number(each.toFixed(places)));
    const key = `${type} ${evidence.seen} ${label} ${ordinary}`;
    const known = found.get(key);
    if (known) known.count++;
    else
      found.set(key, {
        type: types.indexOf(type),
        evidence: { ...evidence, label: label!, ordinary: ordinary! },
        count: 1,
      });
  }
  return [...found.values()];
}

/** Mean and variance of how many of the gaps of each type are real. */
function sums(
  gaps: readonly CountedGap[],
  types: number,
  probability: (evidence: Evidence) => number,
): { readonly mean: number; readonly variance: number }[] {
  const result = Array.from({ length: types }, () => ({ mean: 0, variance: 0 }));
  for (const { type, evidence, count } of gaps) {
    const share = probability(evidence);
    result[type]!.mean += count * share;
    result[type]!.variance += count * share * (1 - share);
  }
  return result;
}
