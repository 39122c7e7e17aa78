import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowedAt, itemState, makeSentence, restriction, type Sentence, typeSets } from "../../text/index.ts";
import { spanCount } from "../../util/span-counts.ts";
import { spanGrid, spanStates, widthFor, widthLoss } from "./grid.ts";

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
  const types = ["A", "B", "C"];
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
      rejected: fc.array(
        fc.tuple(span(length), fc.option(fc.constantFrom(...types))).map(([s, type]) => (type ? { ...s, type } : s)),
        { maxLength: 3 },
      ),
      unsure: fc.array(span(length), { maxLength: 2 }),
      complete: fc.array(
        fc
          .tuple(span(length), fc.option(fc.subarray([...types, "D"])))
          .map(([s, named]) => (named ? { ...s, types: named } : s)),
        { maxLength: 3 },
      ),
    }),
  );

  it("say of every span what the table of allowed labels says", () => {
    fc.assert(
      fc.property(annotated, ({ length, entities, ...rest }) => {
        const sentence = sentenceOf(length, { ...rest, entities: entities.map(([s, type]) => ({ ...s, type })) });
        const grid = spanGrid(length, 5);
        const sets = typeSets(types);
        const [starts, ends] = [grid.starts(), grid.ends()];
        spanStates(sentence, grid, sets).forEach((state, i) => {
          const allowed = allowedAt(sentence, { start: starts[i]!, end: ends[i]! });
          if (allowed.kind === "entity") expect(state).toBe(types.indexOf(allowed.types[0]!) + 1);
          else if (allowed.kind === "unsure") expect(state).toBe(itemState.excluded);
          else {
            const set = state === itemState.outside ? 1 : (restriction(state) ?? 0);
            const excluded = types.filter((_, type) => sets.has(set, type));
            expect(excluded).toEqual(types.filter((type) => allowed.excluded?.includes(type) ?? true));
          }
        });
      }),
    );
  });

  it("exclude the types that a region is complete for, and are negative when these are all", () => {
    const grid = spanGrid(3, 2);
    const sets = typeSets(types);
    const complete = [{ start: 0, end: 1, types: ["A", "B"] }];
    const states = spanStates(sentenceOf(3, { complete }), grid, sets);
    const onlyC = -1 - sets.number(["A", "B"]);
    // a, a b, b, b c, c
    expect([...states]).toEqual([onlyC, onlyC, itemState.unknown, itemState.unknown, itemState.unknown]);
    const all = spanStates(
      sentenceOf(1, { complete: [{ start: 0, end: 1, types: ["C", "B", "A"] }] }),
      spanGrid(1, 1),
      sets,
    );
    expect([...all]).toEqual([0]);
  });

  it("leave unsure spans out of training", () => {
    const states = spanStates(
      sentenceOf(1, { unsure: [{ start: 0, end: 1 }], complete: [{ start: 0, end: 1 }] }),
      spanGrid(1, 1),
      typeSets(types),
    );
    expect([...states]).toEqual([itemState.excluded]);
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
