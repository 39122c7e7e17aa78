import type { Sentence } from "../../text/index.ts";
import { type ChanceBounds, chanceBounds } from "./bounds.ts";
import type { Distribution } from "./distribution.ts";
import { groupSentences, hiddenByMask, missingAlready, type SentenceGroup, type Supposition } from "./hidden-counts.ts";
import { type ExpectedMissampling, expectedMissampling, largestRate } from "./missampling.ts";

/** What uniform negative sampling does if a share of the entities is missing. */
export interface MissingScenario {
  /** The supposed share. */
  readonly share: number;
  /** If that share of all entities is missing from the corpus as it is. */
  readonly missing: ExpectedMissampling;
  /** If that share of its annotations were hidden, as `mask` does. */
  readonly masked: ExpectedMissampling;
  /** With a limit: the highest rates, in hundredths, that keep the shares of `missing` within it; null when none does. */
  readonly largestRate?: { readonly negatives: number | null; readonly sentences: number | null };
}

/** The prospects of uniform negative sampling on a corpus. */
export interface SamplingOutlook {
  /** λ: negatives drawn for each token. */
  readonly rate: number;
  readonly maxWidth?: number;
  readonly limit?: number;
  /** For sentence lengths at the quartiles, and at 95 %, of the corpus. */
  readonly bounds: readonly ChanceBounds[];
  readonly scenarios: readonly MissingScenario[];
}

export interface SamplingOptions {
  readonly rate: number;
  /** Supposed shares of missing entities. */
  readonly shares: readonly number[];
  readonly maxWidth?: number | undefined;
  readonly limit?: number | undefined;
}

/** For sentences of which something is unknown: negatives are drawn from no others. */
export function samplingOutlook(
  sentences: readonly Sentence[],
  length: Distribution,
  { rate, shares, maxWidth, limit }: SamplingOptions,
): SamplingOutlook {
  const groups = groupSentences(sentences, maxWidth);
  const lengths = [...new Set([length.q25, length.median, length.q75, length.q95])].filter((each) => each > 0);
  return {
    rate,
    ...(maxWidth !== undefined && { maxWidth }),
    ...(limit !== undefined && { limit }),
    bounds: lengths.map((each) => chanceBounds(rate, each, { maxWidth })),
    scenarios: shares.map((share): MissingScenario => {
      const supposition = missingAlready(share, groups, maxWidth);
      return {
        share,
        missing: expectedMissampling(groups, supposition, rate),
        masked: expectedMissampling(groups, hiddenByMask(share, maxWidth), rate),
        ...(limit !== undefined && { largestRate: largestRates(groups, supposition, limit) }),
      };
    }),
  };
}

function largestRates(
  groups: readonly SentenceGroup[],
  supposition: Supposition,
  limit: number,
): NonNullable<MissingScenario["largestRate"]> {
  return {
    negatives: largestRate(groups, supposition, "negatives", limit) ?? null,
    sentences: largestRate(groups, supposition, "sentences", limit) ?? null,
  };
}
