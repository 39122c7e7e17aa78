/** Spans of a sentence of n tokens that are no wider than the limit: n(n+1)/2 without one. */
export function spanCount(length: number, maxWidth = Number.POSITIVE_INFINITY): number {
  const width = Math.min(length, maxWidth);
  return width * length - (width * (width - 1)) / 2;
}

/** ⌈λn⌉, the negatives that uniform sampling draws. The small number keeps 0.35 · 20 = 7.000000000000001 from becoming 8. */
export function drawCount(rate: number, length: number): number {
  return Math.max(0, Math.ceil(rate * length - 1e-9));
}
