import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeSentence, type Sentence, stateOf } from "../text/index.ts";
import { spanCount } from "../util/span-counts.ts";
import { excludedSpan, spanGrid, spanStates, unknownSpan, widthFor, widthLoss } from "./span-grid.ts";

function sentenceOf(length: number, annotation: Parameters<typeof makeSentence>[2] = {}): Sentence {
  const offsets = Int32Array.from({ length: 2 * length }, (_, i) => (i % 2 === 0 ? i : i));
  return makeSentence("x ".repeat(length), offsets, annotation);
}

describe("span grid", () => {
  it("numbers every span up to the width once, by start and then by width", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 1, max: 30 }), (length, maxWidth) => {
        const expected: [number, number][] = [];
        for (let start = 0; start < length; start++) {
          for (let end = start + 1; end <= length && end - start <= maxWidth; end++) expected.push([start, end]);
        }
        const grid = spanGrid(length, maxWidth);
        const [starts, ends] = [grid.starts(), grid.ends()];
        expect(Array.from(starts, (start, i) => [start, ends[i]])).toEqual(expected);
        expect(grid.size).toBe(expected.length);
        expect(spanCount(length, maxWidth)).toBe(expected.length);
        expected.forEach(([start, end], index) => {
          expect(grid.index({ start, end })).toBe(index);
        });
      }),
    );
  });

  it("has no place for wider spans", () => {
    expect(spanGrid(5, 2).index({ start: 1, end: 4 })).toBe(-1);
  });
});

describe("span states", () => {
  const types = ["A", "B"];
  const span = (length: number) =>
    fc
      .tuple(fc.nat(length - 1), fc.nat(length - 1))
      .map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 }));
  const annotated = fc.integer({ min: 1, max: 8 }).chain((length) =>
    fc.record({
      length: fc.constant(length),
      entities: fc.uniqueArray(fc.tuple(span(length), fc.constantFrom(...types)), {
        maxLength: 3,
        selector: ([s]) => `${s.start} ${s.end}`,
      }),
      rejected: fc.array(span(length), { maxLength: 2 }),
      unsure: fc.array(span(length), { maxLength: 2 }),
      complete: fc.array(span(length), { maxLength: 1 }),
    }),
  );

  it("agree with stateOf for every span", () => {
    fc.assert(
      fc.property(annotated, ({ length, entities, ...rest }) => {
        const sentence = sentenceOf(length, { ...rest, entities: entities.map(([s, type]) => ({ ...s, type })) });
        const grid = spanGrid(length, 5);
        const states = spanStates(sentence, grid, (type) => types.indexOf(type) + 1, types);
        const [starts, ends] = [grid.starts(), grid.ends()];
        states.forEach((state, i) => {
          const known = stateOf(sentence, { start: starts[i]!, end: ends[i]! });
          const meaning =
            state > 0 ? "entity" : state === 0 ? "negative" : state === unknownSpan ? "unknown" : "unsure";
          expect(meaning).toBe(known);
        });
      }),
    );
  });

  it("take a region that is complete for some types only as unknown, for all types as negative", () => {
    const grid = spanGrid(2, 2);
    const states = (complete: readonly string[]) =>
      spanStates(sentenceOf(2, { complete: [{ start: 0, end: 2, types: complete }] }), grid, () => 1, types);
    expect([...states(["A"])]).toEqual([unknownSpan, unknownSpan, unknownSpan]);
    expect([...states(["A", "B"])]).toEqual([0, 0, 0]);
  });

  it("leave unsure spans out of training", () => {
    const states = spanStates(
      sentenceOf(1, { unsure: [{ start: 0, end: 1 }], complete: [{ start: 0, end: 1 }] }),
      spanGrid(1, 1),
      () => 1,
      types,
    );
    expect([...states]).toEqual([excludedSpan]);
  });
});

describe("width limit", () => {
  const widths = (...all: number[]): Sentence[] =>
    all.map((width) => sentenceOf(width, { entities: [{ start: 0, end: width, type: "A" }] }));

  it("counts the entities it loses", () => {
    expect(widthLoss(widths(1, 2, 9, 12), 8)).toEqual({ lost: 2, widest: 12 });
  });

  it("is the narrowest that keeps the share", () => {
    expect(widthFor(widths(1, 1, 2, 7), 0.75)).toBe(2);
    expect(widthFor(widths(1, 1, 2, 7), 0.999)).toBe(7);
    expect(widthFor([], 0.9)).toBe(1);
  });
});
