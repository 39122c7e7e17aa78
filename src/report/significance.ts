import { compareResampled, type ResampledRun, resample } from "../evaluation/index.ts";
import { type Result, unpackCounts } from "../studies/index.ts";

/** How often a difference at least as large as between two sets of runs would come about if there were none. */
export type Significance = (baseline: readonly Result[], results: readonly Result[]) => number | undefined;

/** Enough for the two levels that tables mark; a page has hundreds of comparisons. */
const resamples = 500;

/**
 * Compares some of these results with others, by paired bootstrap over seeds and sentences. All are resampled together,
 * once. Nothing where the two are the same or were not measured on the same test set.
 */
export function significanceAmong(results: readonly Result[]): Significance {
  let resampled: ReadonlyMap<Result, ResampledRun> | undefined;
  return (baseline, others) => {
    if (baseline.length === 0 || baseline.some((each) => others.includes(each))) return undefined;
    const tests = new Set([...baseline, ...others].map(({ hashes }) => hashes.test));
    if (tests.size > 1) return undefined;
    resampled ??= resampledOf(results);
    const runs = (some: readonly Result[]): ResampledRun[] => some.map((each) => resampled!.get(each)!);
    return compareResampled(runs(baseline), runs(others), { resamples }).p;
  };
}

/** Only what was measured on the same test set can share its draws. */
function resampledOf(results: readonly Result[]): ReadonlyMap<Result, ResampledRun> {
  const tests = new Set(results.map(({ hashes }) => hashes.test));
  return new Map(
    [...tests].flatMap((test) => {
      const members = results.filter(({ hashes }) => hashes.test === test);
      const counts = members.map((each) => unpackCounts(each.counts));
      return resample(counts, { resamples }).map((run, index): [Result, ResampledRun] => [members[index]!, run]);
    }),
  );
}
