import { compareSpans, type Sentence, tokenCount } from "../../text/document.ts";
import { spanCount } from "../../util/span-counts.ts";
import { logChoose, logGamma } from "./special-functions.ts";

/** Sentences that are alike to a sampler: the same length and the same number of labelled spans. */
export interface SentenceGroup {
  readonly length: number;
  readonly labelled: number;
  readonly sentences: number;
}

/** Groups sentences; labelled spans count once whatever their types, and not at all when wider than the limit. */
export function groupSentences(sentences: readonly Sentence[], maxWidth?: number): SentenceGroup[] {
  const groups = new Map<string, { length: number; labelled: number; sentences: number }>();
  for (const sentence of sentences) {
    const length = tokenCount(sentence);
    const labelled = labelledSpans(sentence, maxWidth);
    const key = `${length} ${labelled}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { length, labelled, sentences: 1 });
    else group.sentences++;
  }
  return [...groups.values()];
}

function labelledSpans({ entities }: Sentence, maxWidth = Number.POSITIVE_INFINITY): number {
  const drawn = entities.filter(({ start, end }) => end - start <= maxWidth);
  return drawn.filter((entity, i) => i === 0 || compareSpans(entity, drawn[i - 1]!) !== 0).length;
}

/** A number of hidden entities that a sentence may have, how likely that is, and among how many candidates they are. */
export interface HiddenCount {
  readonly hidden: number;
  readonly candidates: number;
  readonly probability: number;
}

/** What is supposed about hidden entities: for each group, the possible numbers. */
export type Supposition = (group: SentenceGroup) => readonly HiddenCount[];

/**
 * Each annotation of these sentences is hidden with probability p, as `mask` does: how many is binomial, and the hidden
 * ones become candidates.
 */
export function hiddenByMask(share: number, maxWidth?: number): Supposition {
  return ({ length, labelled }) => {
    const rest = spanCount(length, maxWidth) - labelled;
    return Array.from({ length: labelled + 1 }, (_, hidden) => ({
      hidden,
      candidates: rest + hidden,
      probability: binomial(labelled, hidden, share),
    }));
  };
}

/**
 * A share p of the entities is missing already. The missing ones are supposed to lie where the labelled ones lie: a
 * sentence of n tokens has on average p/(1−p) times as many hidden entities as sentences of its length have labels. If
 * entities come as a Poisson process, their number does not depend on how many labels the sentence has.
 */
export function missingAlready(share: number, groups: readonly SentenceGroup[], maxWidth?: number): Supposition {
  const means = meanLabels(groups);
  return ({ length, labelled }) => {
    const candidates = spanCount(length, maxWidth) - labelled;
    const mean = (means.get(length)! * share) / (1 - share);
    return poisson(mean, candidates).map((probability, hidden) => ({ hidden, candidates, probability }));
  };
}

function meanLabels(groups: readonly SentenceGroup[]): Map<number, number> {
  const totals = new Map<number, { labels: number; sentences: number }>();
  for (const { length, labelled, sentences } of groups) {
    const total = totals.get(length) ?? { labels: 0, sentences: 0 };
    totals.set(length, {
      labels: total.labels + labelled * sentences,
      sentences: total.sentences + sentences,
    });
  }
  return new Map([...totals].map(([length, { labels, sentences }]) => [length, labels / sentences]));
}

function binomial(n: number, k: number, share: number): number {
  if (share === 0 || share === 1) return k === n * share ? 1 : 0;
  return Math.exp(logChoose(n, k) + k * Math.log(share) + (n - k) * Math.log1p(-share));
}

/** Probabilities of 0, 1, 2 … up to a limit, which takes what lies beyond it; cut off where next to nothing is left. */
function poisson(mean: number, limit: number): number[] {
  const result: number[] = [];
  let left = 1;
  for (let k = 0; k < limit && left > 1e-12; k++) {
    const probability = mean === 0 ? Number(k === 0) : Math.exp(k * Math.log(mean) - mean - logGamma(k + 1));
    result.push(probability);
    left -= probability;
  }
  return [...result, Math.max(0, left)];
}
