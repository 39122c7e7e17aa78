import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { drawCount, spanCount } from "../../util/span-counts.ts";
import { chanceBounds, chanceOfNoHidden } from "./bounds.ts";

/** The share of all subsets of `draws` candidates that hold none of the first `hidden` ones. */
function byEnumeration(candidates: number, hidden: number, draws: number): number {
  let [all, clean] = [0, 0];
  for (let subset = 0; subset < 2 ** candidates; subset++) {
    const size = subset.toString(2).replaceAll("0", "").length;
    if (size !== draws) continue;
    all++;
    if ((subset & (2 ** hidden - 1)) === 0) clean++;
  }
  return clean / all;
}

describe("the chance that no hidden entity is drawn", () => {
  it("equals the share of subsets without one", () => {
    for (const [labelled, hidden, draws] of [
      [0, 1, 1],
      [0, 2, 3],
      [1, 3, 4],
      [4, 1, 6],
      [2, 0, 5],
    ] as const) {
      // Four tokens have ten spans.
      const expected = byEnumeration(10 - labelled, hidden, draws);
      expect(chanceOfNoHidden({ spans: 10, labelled, hidden, draws })).toBeCloseTo(expected, 12);
    }
  });

  it("is 0 when every candidate is drawn and one is hidden, and 1 when there is nothing to draw", () => {
    expect(chanceOfNoHidden({ spans: 3, labelled: 0, hidden: 1, draws: 9 })).toBe(0);
    expect(chanceOfNoHidden({ spans: 1, labelled: 1, hidden: 0, draws: 1 })).toBe(1);
  });
});

describe("the bounds of the theorem", () => {
  it.each([
    [0.1, 20, 0.9622, 0.9578, 0.9537, 0.9058],
    [0.35, 20, 0.8723, 0.8582, 0.8472, 0.6705],
    [0.7, 30, 0.7929, 0.7754, 0.7668, 0.4712],
  ])("at rate %d and %d tokens", (rate, length, exact, bound8, bound9, bound11) => {
    const bounds = chanceBounds(rate, length);
    expect(bounds.exact).toBeCloseTo(exact, 4);
    expect(bounds.bound8).toBeCloseTo(bound8, 4);
    expect(bounds.bound9).toBeCloseTo(bound9, 4);
    expect(bounds.bound11).toBeCloseTo(bound11, 4);
  });

  it("fall in order, and the last is left out where λn is below 1", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 200 }), (hundredths, length) => {
        const rate = hundredths / 100;
        const { exact, bound8, bound9, bound11 } = chanceBounds(rate, length);
        expect(exact).toBeGreaterThanOrEqual(bound8 - 1e-12);
        expect(bound8).toBeGreaterThanOrEqual(bound9 - 1e-12);
        expect(bound11 !== undefined).toBe(hundredths * length >= 100 && length > 1);
        if (bound11 !== undefined) expect(bound9).toBeGreaterThanOrEqual(bound11 - 1e-12);
      }),
    );
  });

  it("would be wrong there: q = 0.945 against 1 − 4λ√n/(n−1) = 0.986", () => {
    const bounds = chanceBounds(0.01, 10);
    expect(bounds.exact).toBeCloseTo(0.9455, 4);
    expect(1 - (4 * 0.01 * Math.sqrt(10)) / 9).toBeCloseTo(0.9859, 4);
    expect(bounds).not.toHaveProperty("bound11");
  });

  it("hold for a width limit too, without the one that is about all spans", () => {
    // Spans of one or two of five tokens: 9, of which one is drawn; 2 may be hidden.
    const bounds = chanceBounds(0.2, 5, { maxWidth: 2 });
    expect(bounds.exact).toBeCloseTo(1 - 2 / 9, 12);
    expect(bounds.bound8).toBeCloseTo(1 - Math.sqrt(5) / 9, 12);
    expect(bounds.bound9).toBeCloseTo(1 - Math.sqrt(5) / 5, 12);
    expect(bounds).not.toHaveProperty("bound11");
    expect(chanceBounds(0.2, 5, { maxWidth: 5 })).toEqual(chanceBounds(0.2, 5));
  });
});

describe("spans and draws", () => {
  it("spans are counted one by one", () => {
    for (let length = 1; length < 9; length++) {
      for (const maxWidth of [1, 3, 8, undefined]) {
        let count = 0;
        for (let start = 0; start < length; start++) {
          for (let end = start + 1; end <= length; end++) if (end - start <= (maxWidth ?? length)) count++;
        }
        expect(spanCount(length, maxWidth)).toBe(count);
      }
    }
  });

  it("draws are rounded up, but not for an error in the last bit", () => {
    expect([1, 20, 21].map((length) => drawCount(0.35, length))).toEqual([1, 7, 8]);
    expect(drawCount(0, 20)).toBe(0);
    expect(drawCount(1, 20)).toBe(20);
  });
});
