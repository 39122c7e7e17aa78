import { ratio } from "../scores.ts";

/** A summary of whole numbers. A quantile is the smallest value that this share of the numbers does not exceed. */
export interface Distribution {
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly q25: number;
  readonly median: number;
  readonly q75: number;
  readonly q95: number;
  readonly q99: number;
  readonly max: number;
}

/** All zero for no numbers. */
export function distributionOf(values: readonly number[]): Distribution {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return {
    count: sorted.length,
    mean: ratio(
      sorted.reduce((sum, value) => sum + value, 0),
      sorted.length,
    ),
    min: at(0),
    q25: at(0.25),
    median: at(0.5),
    q75: at(0.75),
    q95: at(0.95),
    q99: at(0.99),
    max: at(1),
  };
}
