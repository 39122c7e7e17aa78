import type { Numbers } from "./numbers.ts";

/** From this distance on, all share the last bucket of their direction. */
export const farthestDistance = 128;

/**
 * The bucket of the distance between each two of `length` sub-words, `[from, to]`, as T5 and MPNet put distances into
 * classes: the first half is for what stands before, the second for what stands behind. Of each, half the buckets hold
 * one small distance each, and the rest grow by equal ratios.
 */
export function distanceBuckets(length: number, buckets: number): Numbers {
  const half = Math.floor(buckets / 2);
  const sizes = Int32Array.from({ length }, (_, distance) => bucketOf(distance, half));
  const data = new Int32Array(length * length);
  for (let from = 0; from < length; from++)
    for (let to = 0; to < length; to++) {
      data[from * length + to] = to > from ? half + sizes[to - from]! : sizes[from - to]!;
    }
  return { data, shape: [length, length] };
}

function bucketOf(distance: number, buckets: number): number {
  const exact = Math.floor(buckets / 2);
  if (distance < exact) return distance;
  const share = Math.log(distance / exact) / Math.log(farthestDistance / exact);
  return Math.min(buckets - 1, exact + Math.floor(share * (buckets - exact)));
}
