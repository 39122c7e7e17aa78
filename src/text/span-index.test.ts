import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { overlaps, type Span, sameSpan } from "./document.ts";
import { coverage, spanIndex } from "./span-index.ts";

const span = fc
  .tuple(fc.nat(12), fc.integer({ min: 1, max: 6 }))
  .map(([start, width]) => ({ start, end: start + width }));
const spans = fc.array(span, { maxLength: 60 });

describe("an index of spans", () => {
  it("answers as looking through the list does", () => {
    fc.assert(
      fc.property(spans, fc.array(span, { minLength: 1 }), (list, asked) => {
        const index = spanIndex(list);
        for (const each of asked) {
          expect(index.at(each)).toEqual(list.filter((other) => sameSpan(other, each)));
          const both = (a: Span, b: Span): number => a.start - b.start || a.end - b.end;
          expect(index.overlapping(each).toSorted(both)).toEqual(
            list.filter((other) => overlaps(other, each)).sort(both),
          );
          expect(index.touches(each)).toBe(list.some((other) => overlaps(other, each)));
        }
      }),
    );
  });

  it("keeps the order of the list among spans with the same bounds", () => {
    const list: (Span & { n: number })[] = Array.from({ length: 40 }, (_, n) => ({ start: n % 2, end: 3, n }));
    expect(spanIndex(list).at({ start: 1, end: 3 })).toEqual(list.filter(({ start }) => start === 1));
  });

  it("tells which tokens are covered", () => {
    fc.assert(
      fc.property(spans, (list) => {
        const covered = coverage(list);
        for (let token = 0; token < 25; token++) {
          expect(covered(token)).toBe(list.some(({ start, end }) => start <= token && token < end));
        }
      }),
    );
  });
});
