/**
 * Average precision of a ranking: the mean, over everything there is to find, of the precision at the place where it is
 * found; what is never found counts as 0.
 */
export function averagePrecision(hits: readonly boolean[], total: number): number {
  let [found, sum] = [0, 0];
  for (const [place, hit] of hits.entries()) {
    if (!hit) continue;
    found++;
    sum += found / (place + 1);
  }
  return total === 0 ? 0 : sum / total;
}

/** The share of hits among the first places; a ranking that is shorter has none beyond its end. */
export function precisionAt(hits: readonly boolean[], places: number): number {
  return hits.slice(0, places).filter(Boolean).length / places;
}
