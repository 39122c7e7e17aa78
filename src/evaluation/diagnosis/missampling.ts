import { ratio } from "../scores.ts";
import { chanceOfNoHidden } from "./bounds.ts";
import { drawCount } from "./draws.ts";
import type { SentenceGroup, Supposition } from "./hidden-counts.ts";

/** What uniform sampling is expected to do in one epoch; all are shares of 1. */
export interface ExpectedMissampling {
  /** Of the drawn negatives, those that are hidden entities: the missampling rate γ. */
  readonly negatives: number;
  /** Of the sentences, those with at least one such negative: the mean of 1 − q. */
  readonly sentences: number;
  /** Of the hidden entities, those that are drawn. */
  readonly hidden: number;
}

/** A ratio of expected numbers, for sentences of the given groups and ⌈λn⌉ draws from each. */
export function expectedMissampling(
  groups: readonly SentenceGroup[],
  supposition: Supposition,
  rate: number,
): ExpectedMissampling {
  return missamplingByRate(groups, supposition)(rate);
}

/**
 * The highest rate, in hundredths up to 1, at which a share stays within a limit; missing when there is none.
 * All rates are tried, because the share of negatives need not grow with the rate: every candidate of a sentence is as likely
 * to be hidden as any other, so the rate only shifts the weight between sentences.
 */
export function largestRate(
  groups: readonly SentenceGroup[],
  supposition: Supposition,
  share: keyof ExpectedMissampling,
  limit: number,
): number | undefined {
  const expected = missamplingByRate(groups, supposition);
  for (let hundredths = 100; hundredths > 0; hundredths--) {
    if (expected(hundredths / 100)[share] <= limit) return hundredths / 100;
  }
  return undefined;
}

/** What is supposed does not depend on the rate, so it is worked out once. */
function missamplingByRate(
  groups: readonly SentenceGroup[],
  supposition: Supposition,
): (rate: number) => ExpectedMissampling {
  const supposed = groups.map((group) => ({ ...group, counts: supposition(group) }));
  return (rate) => {
    let [drawn, missampled, tainted, hiddenTotal, sentenceTotal] = [0, 0, 0, 0, 0];
    for (const { length, sentences, counts } of supposed) {
      sentenceTotal += sentences;
      for (const { hidden, candidates, probability } of counts) {
        const weight = sentences * probability;
        const draws = Math.min(candidates, drawCount(rate, length));
        drawn += weight * draws;
        missampled += weight * ratio(draws * hidden, candidates);
        tainted += weight * (1 - chanceOfNoHidden({ spans: candidates, labelled: 0, hidden, draws }));
        hiddenTotal += weight * hidden;
      }
    }
    return {
      negatives: ratio(missampled, drawn),
      sentences: ratio(tainted, sentenceTotal),
      hidden: ratio(missampled, hiddenTotal),
    };
  };
}
