import { describe, expect, it } from "vitest";
import { type HiddenCount, hiddenByMask, missingAlready } from "./hidden-counts.ts";

const sumOf = (counts: readonly HiddenCount[], pick: (count: HiddenCount) => number): number =>
  counts.reduce((sum, count) => sum + count.probability * pick(count), 0);

describe("what is supposed of a sentence with very many entities", () => {
  // A binomial and a Poisson number have known means and variances, whatever they are computed from.
  it.each([2_000, 200_000])("has the moments of its distribution and few terms, for %d entities", (labelled) => {
    const group = { length: 2 * labelled, labelled, sentences: 1 };
    const masked = hiddenByMask(0.25)(group);
    const missing = missingAlready(0.5, [group])(group);
    for (const [counts, mean, variance] of [
      [masked, labelled / 4, (3 * labelled) / 16],
      [missing, labelled, labelled],
    ] as const) {
      expect(counts.length).toBeLessThan(500);
      expect(sumOf(counts, () => 1)).toBeCloseTo(1, 7);
      expect(sumOf(counts, ({ hidden }) => hidden) / mean).toBeCloseTo(1, 7);
      expect(sumOf(counts, ({ hidden }) => (hidden - mean) ** 2) / variance).toBeCloseTo(1, 2);
    }
  });

  it("ends where next to nothing is left, though rounding leaves a rest", () => {
    const group = { length: 25_000, labelled: 25_000, sentences: 1 };
    const counts = missingAlready(0.9, [group])(group);
    expect(counts.length).toBeLessThan(500);
    expect(sumOf(counts, ({ hidden }) => hidden)).toBeCloseTo(225_000, -1);
  });
});
