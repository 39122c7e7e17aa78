import { drawCount } from "../../util/span-counts.ts";
import { ratio } from "../scores.ts";
import { chancesByDraws } from "./bounds.ts";
import type { HiddenCount, SentenceGroup, Supposition } from "./hidden-counts.ts";

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
  return missamplingByRate(groups, supposition, rate)(rate);
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
  const expected = missamplingByRate(groups, supposition, 1);
  for (let hundredths = 100; hundredths > 0; hundredths--) {
    if (expected(hundredths / 100)[share] <= limit) return hundredths / 100;
  }
  return undefined;
}

/** Expected numbers for all sentences of one length; the place in an array is the number of draws that are wanted. */
interface LengthTable {
  readonly length: number;
  readonly drawn: Float64Array;
  readonly missampled: Float64Array;
  readonly tainted: Float64Array;
}

/** The rate says only how many draws are wanted of each length, so everything else is worked out once, up to a highest rate. */
function missamplingByRate(
  groups: readonly SentenceGroup[],
  supposition: Supposition,
  highest: number,
): (rate: number) => ExpectedMissampling {
  const tables = new Map<number, LengthTable>();
  let [hidden, sentences] = [0, 0];
  for (const group of groups) {
    const table = tables.get(group.length) ?? emptyTable(group.length, drawCount(highest, group.length));
    tables.set(group.length, table);
    sentences += group.sentences;
    for (const count of supposition(group)) {
      const weight = group.sentences * count.probability;
      hidden += weight * count.hidden;
      addCount(table, count, weight);
    }
  }
  return (rate) => {
    let [drawn, missampled, tainted] = [0, 0, 0];
    for (const table of tables.values()) {
      const wanted = drawCount(rate, table.length);
      drawn += table.drawn[wanted]!;
      missampled += table.missampled[wanted]!;
      tainted += table.tainted[wanted]!;
    }
    return {
      negatives: ratio(missampled, drawn),
      sentences: ratio(tainted, sentences),
      hidden: ratio(missampled, hidden),
    };
  };
}

function emptyTable(length: number, mostDraws: number): LengthTable {
  const empty = (): Float64Array => new Float64Array(mostDraws + 1);
  return { length, drawn: empty(), missampled: empty(), tainted: empty() };
}

function addCount(table: LengthTable, { hidden, candidates }: HiddenCount, weight: number): void {
  const most = table.drawn.length - 1;
  const chances = chancesByDraws({ candidates, hidden }, most);
  for (let wanted = 0; wanted <= most; wanted++) {
    const draws = Math.min(candidates, wanted);
    table.drawn[wanted]! += weight * draws;
    table.missampled[wanted]! += weight * ratio(draws * hidden, candidates);
    table.tainted[wanted]! += weight * (1 - chances[draws]!);
  }
}
