/** Spans of a sentence of n tokens that are no wider than the limit: n(n+1)/2 without one. */
export function spanCount(length: number, maxWidth = Number.POSITIVE_INFINITY): number {
  const width = Math.min(length, maxWidth);
  return width * length - (width * (width - 1)) / 2;
}

/**
 * ⌈λn⌉, the negatives that a sentence of n tokens gets, or ⌊λn⌋ + 1 as in the code of the paper. The small number keeps
 * 0.35 · 20 = 7.000000000000001 from becoming 8.
 */
export function drawCount(rate: number, length: number, count: "ceil" | "floor+1" = "ceil"): number {
  if (rate === 0) return 0;
  return count === "ceil" ? Math.ceil(rate * length - 1e-9) : Math.floor(rate * length + 1e-9) + 1;
}
