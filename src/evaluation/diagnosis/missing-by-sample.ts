import type { Sentence } from "../../text/index.ts";
import type { MissingEstimates } from "./estimate.ts";
import { missingByDensity } from "./sample-density.ts";
import { missingByNames } from "./sample-names.ts";
import { findTwins, missingByRecall } from "./sample-recall.ts";

/** How much is missing, from a small sample of which every entity is labelled. */
export interface SampleEstimates {
  readonly sentences: number;
  /** Sample sentences that stand in the corpus too. */
  readonly shared: number;
  readonly density: MissingEstimates;
  readonly names: MissingEstimates;
  /** Only where at least half of the sample stands in the corpus: otherwise the shared sentences are lines that repeat by chance. */
  readonly recall?: MissingEstimates;
}

export function missingBySample(corpus: readonly Sentence[], sample: readonly Sentence[]): SampleEstimates {
  const twins = findTwins(corpus, sample);
  const shared = twins.filter(({ others }) => others.length > 0).length;
  return {
    sentences: sample.length,
    shared,
    density: missingByDensity(corpus, sample),
    names: missingByNames(corpus, sample),
    ...(2 * shared >= sample.length && sample.length > 0 && { recall: missingByRecall(twins) }),
  };
}
