import { fromRatio, type MissingShare, nothingLabelled } from "./estimate.ts";
import { errorOf, influences, type Row, total } from "./rows.ts";

/**
 * What is lacking from the share of hits that is usual, with a row for each name on both sides. How ambiguous a name is shows
 * on both sides and cancels: the error is that of the difference, name by name, of so many names.
 */
export function compareNames(found: readonly Row[], expected: readonly Row[], names: number): MissingShare {
  const [ours, theirs] = [total(found), total(expected)];
  const usual = theirs.hits / theirs.trials;
  if (ours.hits === 0) return nothingLabelled(usual * ours.trials, names);
  const other = influences(expected);
  const differences = influences(found).map((value, i) => value - other[i]!);
  return fromRatio(ours.hits / ours.trials / usual, errorOf(differences, names), names);
}
