/** Hits among trials within one unit that is drawn as a whole: a sentence, or a name. */
export interface Row {
  readonly hits: number;
  readonly trials: number;
}

export function total(rows: readonly Row[]): Row {
  let [hits, trials] = [0, 0];
  for (const row of rows) {
    hits += row.hits;
    trials += row.trials;
  }
  return { hits, trials };
}

/** What each unit contributes to the logarithm of hits over trials, to first order. */
export function influences(rows: readonly Row[]): number[] {
  const { hits, trials } = total(rows);
  return rows.map((row) => (row.hits - (hits / trials) * row.trials) / hits);
}

/** Standard error of a sum of such contributions, of so many independent units. */
export function errorOf(contributions: readonly number[], units = contributions.length): number {
  const squares = contributions.reduce((sum, value) => sum + value * value, 0);
  return Math.sqrt((squares * units) / Math.max(1, units - 1));
}
