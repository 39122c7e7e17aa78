import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Candidate } from "../heads/index.ts";
import { resolve } from "./decode.ts";

const candidate = (start: number, end: number, score: number, label = 1): Candidate => ({ start, end, label, score });

describe("resolve", () => {
  const crossing = [candidate(0, 3, -0.3), candidate(1, 2, -0.2), candidate(2, 5, -0.1)];

  it("flat: the best span wins, no two share a token", () => {
    expect(resolve(crossing, "flat")).toEqual([candidate(1, 2, -0.2), candidate(2, 5, -0.1)]);
  });

  it("nested: spans may lie within others but not cross", () => {
    expect(resolve([...crossing, candidate(2, 3, -0.9)], "nested")).toEqual([
      candidate(1, 2, -0.2),
      candidate(2, 3, -0.9),
      candidate(2, 5, -0.1),
    ]);
  });

  it("all: everything stays, in order", () => {
    expect(resolve(crossing, "all")).toEqual(crossing);
  });

  it("equal scores go to the smaller start, then to the smaller end, whatever the order of the input", () => {
    const equal = [candidate(1, 3, -1), candidate(0, 2, -1), candidate(0, 3, -1)];
    expect(resolve(equal, "flat")).toEqual([candidate(0, 2, -1)]);
    expect(resolve([...equal].reverse(), "flat")).toEqual([candidate(0, 2, -1)]);
  });

  it("keeps what looking at every pair would keep", () => {
    const allowed = {
      flat: (a: Candidate, b: Candidate) => a.end <= b.start || b.end <= a.start,
      nested: (a: Candidate, b: Candidate) =>
        allowed.flat(a, b) || (a.start <= b.start && b.end <= a.end) || (b.start <= a.start && a.end <= b.end),
    };
    const spans = fc.array(fc.tuple(fc.nat(12), fc.integer({ min: 1, max: 6 })), { maxLength: 20 });
    fc.assert(
      fc.property(spans, fc.constantFrom("flat", "nested"), (places, overlap) => {
        const best = places.map(([start, width], i) => candidate(start, start + width, -i));
        const expected: Candidate[] = [];
        for (const each of best) if (expected.every((other) => allowed[overlap](each, other))) expected.push(each);
        const order = (list: readonly Candidate[]) => list.map(({ score }) => score).sort((a, b) => a - b);
        expect(order(resolve(best.toReversed(), overlap))).toEqual(order(expected));
      }),
    );
  });

  it("does not compare every pair of a long text", () => {
    // Four times 10^10 comparisons would run into the time limit of the suite.
    const many = Array.from({ length: 300_000 }, (_, i) => candidate(2 * i, 2 * i + 3, -(i % 7)));
    expect(resolve(many, "flat").length).toBeGreaterThan(100_000);
  });

  it("flat output never overlaps and leaves out only what overlaps something better", () => {
    const spans = fc.array(
      fc
        .tuple(fc.nat(8), fc.integer({ min: 1, max: 4 }), fc.integer({ min: -9, max: 0 }))
        .map(([s, w, score]) => candidate(s, s + w, score)),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(spans, (all) => {
        const kept = resolve(all, "flat");
        const share = (a: Candidate, b: Candidate): boolean => a.start < b.end && b.start < a.end;
        for (const [i, a] of kept.entries()) for (const b of kept.slice(i + 1)) expect(share(a, b)).toBe(false);
        for (const left of all.filter((each) => !kept.includes(each))) {
          expect(kept.some((each) => share(each, left) && each.score >= left.score)).toBe(true);
        }
      }),
    );
  });
});
