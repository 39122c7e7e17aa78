import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planWindows, shortened } from "./subword-windows.ts";

describe("planWindows", () => {
  it("takes a sentence that fits as one window", () => {
    expect(planWindows([2, 1, 3], 6, 2)).toEqual({ windows: [{ start: 0, end: 3 }], homes: Int32Array.of(0, 0, 0) });
  });

  it("gives an empty sentence one empty window", () => {
    expect(planWindows([], 6, 2)).toEqual({ windows: [{ start: 0, end: 0 }], homes: new Int32Array(0) });
  });

  it("repeats the overlap, and lets the last window reach back", () => {
    const { windows } = planWindows(new Array<number>(10).fill(1), 6, 3);
    expect(windows).toEqual([
      { start: 0, end: 6 },
      { start: 3, end: 9 },
      { start: 4, end: 10 },
    ]);
  });

  it("gives up overlap for a word that would not fit beside it", () => {
    const { windows } = planWindows([1, 1, 1, 4, 1, 1], 4, 2);
    expect(windows).toEqual([
      { start: 0, end: 3 },
      { start: 3, end: 4 },
      { start: 4, end: 6 },
    ]);
  });

  it("refuses a word that exceeds the capacity", () => {
    expect(() => planWindows([1, 7, 1], 6, 2)).toThrow("windows: a word exceeds the capacity of 6");
  });

  const sentences = fc
    .record({ capacity: fc.integer({ min: 1, max: 12 }), share: fc.double({ min: 0, max: 0.99, noNaN: true }) })
    .chain(({ capacity, share }) =>
      fc.record({
        capacity: fc.constant(capacity),
        overlap: fc.constant(Math.floor(share * capacity)),
        counts: fc.array(fc.integer({ min: 1, max: capacity }), { minLength: 1, maxLength: 60 }),
      }),
    );

  it("covers every word by windows that fit, each of which brings something new", () => {
    fc.assert(
      fc.property(sentences, ({ counts, capacity, overlap }) => {
        const { windows } = planWindows(counts, capacity, overlap);
        let reached = 0;
        for (const { start, end } of windows) {
          expect(start).toBeLessThanOrEqual(reached);
          expect(end).toBeGreaterThan(reached);
          expect(total(counts.slice(start, end))).toBeLessThanOrEqual(capacity);
          reached = end;
        }
        expect(reached).toBe(counts.length);
      }),
    );
  });

  it("makes a word at home where the nearer edge is farthest, the first such window by a tie", () => {
    fc.assert(
      fc.property(sentences, ({ counts, capacity, overlap }) => {
        const { windows, homes } = planWindows(counts, capacity, overlap);
        counts.forEach((_, word) => {
          const depths = windows.map(({ start, end }) =>
            word < start || word >= end
              ? -1
              : Math.min(total(counts.slice(start, word)), total(counts.slice(word + 1, end))),
          );
          expect(homes[word]).toBe(depths.indexOf(Math.max(...depths)));
        });
      }),
    );
  });
});

describe("shortened", () => {
  it("keeps both ends of a word that is too long, and leaves others alone", () => {
    expect(shortened([1, 2, 3], 3)).toEqual([1, 2, 3]);
    expect(shortened([1, 2, 3, 4, 5, 6, 7], 5)).toEqual([1, 2, 3, 6, 7]);
    expect(shortened([1, 2, 3], 1)).toEqual([1]);
  });
});

function total(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
