import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Span } from "../text/document.ts";
import { naiveChoice } from "./naive.suite.ts";
import { type OverlapPolicyName, overlapPolicies } from "./overlaps.ts";

/** Distinct spans of up to nine tokens, by start and then by end, each with a rank. */
const anyMatches = fc
  .uniqueArray(fc.record({ start: fc.nat(6), length: fc.integer({ min: 1, max: 4 }), rank: fc.nat(2) }), {
    maxLength: 9,
    selector: ({ start, length }) => `${start}-${length}`,
  })
  .map((spans) =>
    spans
      .map(({ start, length, rank }) => ({ start, end: start + length, rank }))
      .sort((a, b) => a.start - b.start || a.end - b.end),
  );

const names = Object.keys(overlapPolicies) as OverlapPolicyName[];

describe.each(names)("the overlap policy %s", (name) => {
  it("chooses as a search through all choices does", () => {
    fc.assert(
      fc.property(anyMatches, (matches) => {
        const chosen = overlapPolicies[name](matches, (match) => match.rank);
        expect(chosen).toEqual(naiveChoice(name, matches, (match) => match.rank));
      }),
      { numRuns: 400 },
    );
  });

  it("keeps a match that stands alone, and nothing from nothing", () => {
    expect(overlapPolicies[name]([{ start: 3, end: 5 }], () => 0)).toEqual([{ start: 3, end: 5 }]);
    expect(overlapPolicies[name]([], () => 0)).toEqual([]);
  });
});

describe("on one example", () => {
  // New York Times Square: New York (0-2), New York Times (0-3), York (1-2), Times Square (2-4), Square (3-4)
  const span = (start: number, end: number): Span => ({ start, end });
  const matches = [span(0, 2), span(0, 3), span(1, 2), span(2, 4), span(3, 4)];
  const choose = (name: OverlapPolicyName, rank: (match: Span) => number = () => 0): string[] =>
    overlapPolicies[name](matches, rank).map(({ start, end }) => `${start}-${end}`);

  it("the policies differ as they should", () => {
    expect(choose("longest")).toEqual(["0-3", "3-4"]);
    expect(choose("squared")).toEqual(["0-3", "3-4"]); // 9 + 1 against 4 + 4
    expect(choose("drop")).toEqual([]);
    expect(choose("candidates")).toEqual(["0-2", "0-3", "1-2", "2-4", "3-4"]);
    expect(choose("priority", ({ start }) => (start === 2 ? 0 : 1))).toEqual(["0-2", "2-4"]);
  });

  it("squared lengths beat the longest match from the left", () => {
    // 0-2 from the left would cost 1-5: 4 against 16.
    const crossing = [span(0, 2), span(1, 5)];
    expect(overlapPolicies.longest(crossing, () => 0)).toEqual([span(0, 2)]);
    expect(overlapPolicies.squared(crossing, () => 0)).toEqual([span(1, 5)]);
  });
});
