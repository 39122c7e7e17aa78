import { describe, expect, it } from "vitest";
import { averagePrecision, precisionAt } from "./ranking.ts";

describe("the measures of a ranking", () => {
  const hits = [true, false, true, false, false, true];

  it("average precision, by hand", () => {
    expect(averagePrecision(hits, 3)).toBeCloseTo((1 + 2 / 3 + 3 / 6) / 3, 12);
    expect(averagePrecision(hits, 4)).toBeCloseTo((1 + 2 / 3 + 3 / 6) / 4, 12);
    expect(averagePrecision([false, true], 1)).toBe(0.5);
    expect(averagePrecision([], 0)).toBe(0);
  });

  it("is the area under the steps of precision against recall", () => {
    let area = 0;
    hits.forEach((hit, i) => {
      if (hit) area += precisionAt(hits, i + 1) * (1 / 3);
    });
    expect(averagePrecision(hits, 3)).toBeCloseTo(area, 12);
  });

  it("precision at a place, also beyond the end", () => {
    expect(precisionAt(hits, 2)).toBe(0.5);
    expect(precisionAt(hits, 12)).toBe(0.25);
  });
});
