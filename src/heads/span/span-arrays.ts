import type { SpanGrid } from "./grid.ts";

/** First and last tokens of spans by their numbers in the grid, sentence by sentence, padded to one width. */
export function spanArrays(
  items: readonly { readonly grid: SpanGrid }[],
  spans: readonly ArrayLike<number>[],
): { starts: Int32Array; ends: Int32Array; width: number } {
  // One padded span at the least: an axis of nothing has no place in a product.
  const width = Math.max(1, ...spans.map(({ length }) => length));
  const starts = new Int32Array(items.length * width);
  const ends = new Int32Array(items.length * width);
  items.forEach(({ grid }, b) => {
    const [from, to] = [grid.starts(), grid.ends()];
    for (let s = 0; s < spans[b]!.length; s++) {
      starts[b * width + s] = from[spans[b]![s]!]!;
      ends[b * width + s] = to[spans[b]![s]!]! - 1;
    }
  });
  return { starts, ends, width };
}
