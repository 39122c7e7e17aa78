import { compareSpans, type Sentence, tokenCount } from "../../text/index.ts";
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
    return thinned(
      Array.from({ length: labelled + 1 }, (_, hidden) => ({
        hidden,
        candidates: rest + hidden,
        probability: binomial(labelled, hidden, share),
      })),
    );
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
    return thinned(poisson(mean, candidates).map((each) => ({ ...each, candidates })));
  };
}

/** More numbers than this are so close together that some of them can stand for all. */
const mostCounts = 400;

/**
 * Fewer counts for a sentence of thousands of entities: neighbours become one with their mean, after those are left out
 * that next to never come. Everything that is worked out from them changes little between neighbours.
 */
function thinned(counts: readonly HiddenCount[]): readonly HiddenCount[] {
  if (counts.length <= mostCounts) return counts;
  const likely = counts.filter(({ probability }) => probability > 1e-18);
  const width = Math.ceil(likely.length / mostCounts);
  return Array.from({ length: Math.ceil(likely.length / width) }, (_, i) => {
    const group = likely.slice(i * width, (i + 1) * width);
    const probability = group.reduce((sum, each) => sum + each.probability, 0);
    const mean = (pick: (each: HiddenCount) => number): number =>
      group.reduce((sum, each) => sum + each.probability * pick(each), 0) / probability;
    return {
      hidden: mean((each) => each.hidden),
      candidates: Math.round(mean((each) => each.candidates)),
      probability,
    };
  });
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

/** Probabilities of 0, 1, 2 … up to a limit, which takes what lies beyond it; only where more than next to nothing is. */
function poisson(mean: number, limit: number): { hidden: number; probability: number }[] {
  const result: { hidden: number; probability: number }[] = [];
  const spread = 40 + 12 * Math.sqrt(mean);
  const end = Math.min(limit, Math.ceil(mean + spread));
  let left = 1;
  for (let hidden = Math.max(0, Math.floor(mean - spread)); hidden < end && left > 1e-12; hidden++) {
    const logarithm = hidden * Math.log(mean) - mean - logGamma(hidden + 1);
    const probability = mean === 0 ? Number(hidden === 0) : Math.exp(logarithm);
    result.push({ hidden, probability });
    left -= probability;
  }
  return [...result, { hidden: Math.min(limit, (result.at(-1)?.hidden ?? -1) + 1), probability: Math.max(0, left) }];
}
