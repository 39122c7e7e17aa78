import type { Sentence } from "../../text/index.ts";

/** A share of all entities that is missing, as a fraction of 1, with its 95 % interval. */
export interface MissingShare {
  readonly missing: number;
  readonly low: number;
  readonly high: number;
  /** How much the estimate rests on; each method says what it counts. */
  readonly evidence: number;
}

/** Too little to go by: `evidence` is what there is, `needed` what there would have to be. */
export interface NoEstimate {
  readonly missing?: never;
  readonly evidence: number;
  readonly needed: number;
}

/** The method cannot tell, however much evidence there is; `because` says why. */
export interface Untold {
  readonly missing?: never;
  readonly evidence: number;
  readonly because: string;
}

export type Estimate = MissingShare | NoEstimate | Untold;

/** One way to estimate how much is missing. */
export interface MissingEstimates {
  /** What the estimate takes for granted, in a sentence. */
  readonly assumes: string;
  /** What `evidence` counts. */
  readonly evidence: string;
  readonly overall: Estimate;
  readonly byType: Readonly<Record<string, Estimate>>;
}

/** Tells the types that are to be counted. */
export type Picks = (type: string) => boolean;

/** One estimate for all types together and one for each type of the sample. */
export function forTypes(
  sample: readonly Sentence[],
  estimate: (picks: Picks) => Estimate,
): Pick<MissingEstimates, "overall" | "byType"> {
  const types = [...new Set(sample.flatMap(({ entities }) => entities.map(({ type }) => type)))].sort();
  return {
    overall: estimate(() => true),
    byType: Object.fromEntries(types.map((type) => [type, estimate((other) => other === type)])),
  };
}

/** Estimates rest on this many things at least: with fewer, nobody could say what is usual among them. */
export const leastEvidence = 10;

/** Quantile of the normal distribution for a 95 % interval. */
const z = 1.959964;

/**
 * An estimate from the ratio of what is labelled to what should be, whose logarithm has this standard error.
 * Shares below 0, where more is labelled than expected, are given as 0.
 */
export function fromRatio(labelledShare: number, error: number, evidence: number): MissingShare {
  const missing = (factor: number): number => Math.max(0, 1 - labelledShare * factor);
  return { missing: missing(1), low: missing(Math.exp(z * error)), high: missing(Math.exp(-z * error)), evidence };
}

/** The estimate where nothing at all is labelled, though so many entities were to be expected. */
export function nothingLabelled(expected: number, evidence: number): MissingShare {
  // If none was seen, a mean of 3 or more can be ruled out: e⁻³ ≈ 0.05.
  return { missing: 1, low: Math.max(0, 1 - 3 / expected), high: 1, evidence };
}

/** The score interval of Wilson for a share that was found among so many. */
export function wilson(share: number, count: number): { readonly low: number; readonly high: number } {
  const middle = (share + (z * z) / (2 * count)) / (1 + (z * z) / count);
  const reach = (z * Math.sqrt((share * (1 - share)) / count + (z / (2 * count)) ** 2)) / (1 + (z * z) / count);
  return { low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) };
}
