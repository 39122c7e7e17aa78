import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { moved, snapped } from "../src/review/page/boundaries.ts";
import { type Shown, segmentsOf } from "../src/review/page/segments.ts";

const mark = fc
  .tuple(fc.nat(30), fc.integer({ min: 1, max: 12 }), fc.constantFrom("other", "given", "draft"))
  .map(([start, length, role]): Shown => ({ start, end: start + length, type: role, role: role as Shown["role"] }));

describe("segments of a passage", () => {
  it("cover the text once, with the annotations over each character, and label each annotation once", () => {
    fc.assert(
      fc.property(fc.array(mark, { maxLength: 6 }), (marks) => {
        const segments = segmentsOf(5, 35, marks);
        expect(segments.map(({ start, end }) => end - start).reduce((a, b) => a + b, 0)).toBe(30);
        for (const { start, end, marks: over } of segments) {
          for (let at = start; at < end; at++) {
            const wanted = marks.filter((each) => each.start <= at && at < each.end);
            expect(new Set(over)).toEqual(new Set(wanted));
          }
        }
        const shown = marks.filter((each) => each.start < 35 && each.end > 5);
        const labelled = segments.flatMap(({ ending }) => ending);
        expect(labelled.length).toBe(shown.length);
        expect(new Set(labelled)).toEqual(new Set(shown));
      }),
    );
  });

  it("puts the label of what stands there behind what is put forward, not into its middle", () => {
    const given: Shown = { start: 0, end: 3, type: "LOC", role: "given" };
    const draft: Shown = { start: 0, end: 9, type: "ORG", role: "draft" };
    const [first, second] = segmentsOf(0, 12, [given, draft]);
    expect(first).toMatchObject({ end: 3, ending: [], isFirst: true, isLast: false });
    expect(second).toMatchObject({ start: 3, end: 9, ending: [given, draft], isFirst: false, isLast: true });
  });
});

describe("spans of whole tokens", () => {
  const tokens = [0, 3, 4, 7, 8, 10]; // Ana met Bo

  it("move by one token, and stay at the ends", () => {
    expect(moved(tokens, { start: 0, end: 3 }, "end", 1)).toEqual({ start: 0, end: 7 });
    expect(moved(tokens, { start: 0, end: 3 }, "end", -1)).toEqual({ start: 0, end: 3 });
    expect(moved(tokens, { start: 0, end: 3 }, "start", -1)).toEqual({ start: 0, end: 3 });
    expect(moved(tokens, { start: 4, end: 10 }, "start", 1)).toEqual({ start: 8, end: 10 });
    expect(moved(tokens, { start: 8, end: 10 }, "start", 1)).toEqual({ start: 8, end: 10 });
    expect(moved(tokens, { start: 4, end: 10 }, "end", 1)).toEqual({ start: 4, end: 10 });
  });

  it("move also where tokens touch, as in Chinese: a start is no end", () => {
    const touching = [0, 1, 1, 2, 2, 3];
    expect(moved(touching, { start: 1, end: 2 }, "end", 1)).toEqual({ start: 1, end: 3 });
    expect(moved(touching, { start: 1, end: 2 }, "start", -1)).toEqual({ start: 0, end: 2 });
    expect(moved(touching, { start: 0, end: 2 }, "start", 1)).toEqual({ start: 1, end: 2 });
    expect(moved(touching, { start: 0, end: 2 }, "end", -1)).toEqual({ start: 0, end: 1 });
  });

  it("take in every token that a selection touches, and nothing else", () => {
    expect(snapped(tokens, { start: 2, end: 5 })).toEqual({ start: 0, end: 7 });
    expect(snapped(tokens, { start: 3, end: 4 })).toBeUndefined();
    expect(snapped(tokens, { start: 3, end: 9 })).toEqual({ start: 4, end: 10 });
  });
});
