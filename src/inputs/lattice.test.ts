import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Span } from "../text/index.ts";
import { lattices, sinusoids } from "./lattice.ts";

/** The four distances of a pair, looked up by the numbers that a batch is fed with. */
function distancesOf(found: ReturnType<typeof lattices>, pair: number): number[] {
  const relation = found.pairs[pair]!;
  return [...found.relations.subarray(4 * relation, 4 * relation + 4)].map((row) => found.distances[row]!);
}

describe("the lattice of a sentence", () => {
  it("relates nodes by head − head, head − tail, tail − head and tail − tail", () => {
    // Three tokens and the words of tokens 0–1 and 1–2.
    const spans = [
      { start: 0, end: 1 },
      { start: 1, end: 2 },
      { start: 2, end: 3 },
      { start: 0, end: 2 },
      { start: 1, end: 3 },
    ];
    const found = lattices([spans], 5, 5);
    expect(distancesOf(found, 0 * 5 + 2)).toEqual([-2, -2, -2, -2]);
    expect(distancesOf(found, 2 * 5 + 3)).toEqual([2, 1, 2, 1]);
    expect(distancesOf(found, 3 * 5 + 2)).toEqual([-2, -2, -1, -1]);
    expect(distancesOf(found, 3 * 5 + 4)).toEqual([-1, -2, 0, -1]);
    expect(distancesOf(found, 4 * 5 + 4)).toEqual([0, -1, 1, 0]);
  });

  const span = fc
    .tuple(fc.nat({ max: 9 }), fc.integer({ min: 1, max: 4 }))
    .map(([start, length]): Span => ({ start, end: start + length }));

  it("has the distances of every pair, each relation written once, and relation 0 at padding", () => {
    fc.assert(
      fc.property(fc.array(fc.array(span, { maxLength: 6 }), { minLength: 1, maxLength: 3 }), (sentences) => {
        const nodes = Math.max(1, ...sentences.map(({ length }) => length)) + 1;
        const found = lattices(sentences, nodes, nodes);
        sentences.forEach((spans, b) => {
          for (let i = 0; i < nodes; i++) {
            for (let j = 0; j < nodes; j++) {
              const [x, y] = [spans[i], spans[j]];
              const pair = (b * nodes + i) * nodes + j;
              if (!x || !y) expect(found.pairs[pair]).toBe(0);
              else
                expect(distancesOf(found, pair)).toEqual([
                  x.start - y.start,
                  x.start - y.end + 1,
                  x.end - 1 - y.start,
                  x.end - y.end,
                ]);
            }
          }
        });
        const written = Array.from({ length: found.relations.length / 4 }, (_, r) =>
          found.relations.slice(4 * r, 4 * r + 4).join(),
        );
        expect(new Set(written).size).toBe(written.length);
        expect(new Set(found.distances).size).toBe(found.distances.length);
      }),
      { numRuns: 60 },
    );
  });

  it("lets the first nodes ask where only they are wanted", () => {
    const spans = [
      { start: 0, end: 1 },
      { start: 1, end: 2 },
      { start: 0, end: 2 },
    ];
    const found = lattices([spans], 2, 3);
    expect(found.pairs.length).toBe(2 * 3);
    expect(distancesOf(found, 1 * 3 + 2)).toEqual([1, 0, 1, 0]);
  });

  it("has relations that grow with the length of the text, not with its square", () => {
    const count = (tokens: number): number => {
      const spans = Array.from({ length: tokens }, (_, i) => ({ start: i, end: i + 1 }));
      const words = Array.from({ length: tokens - 1 }, (_, i) => ({ start: i, end: i + 2 }));
      return lattices([[...spans, ...words]], tokens, 2 * tokens - 1).relations.length / 4;
    };
    // From tokens to tokens 2n − 1 distances of heads, to words of two tokens 2n − 2.
    expect(count(50)).toBe(2 * 50 - 1 + 2 * 50 - 2);
    expect(count(100)).toBe(2 * 100 - 1 + 2 * 100 - 2);
  });
});

describe("sinusoids", () => {
  it("have waves of growing length, sine and cosine side by side, for distances of both signs", () => {
    const found = sinusoids([0, -3], 4);
    const expected = [0, 1, 0, 1, Math.sin(-3), Math.cos(3), Math.sin(-3 / 100), Math.cos(3 / 100)];
    expected.forEach((number, i) => {
      expect(found[i]).toBeCloseTo(number, 6);
    });
  });
});
