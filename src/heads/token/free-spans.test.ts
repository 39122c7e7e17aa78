import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { overlaps, type Span } from "../../text/index.ts";
import { random } from "../../util/random.ts";
import { drawFreeSpans } from "./free-spans.ts";

function draw(free: readonly boolean[], count: number, maxWidth: number, seed = 1): Span[] {
  return drawFreeSpans(free.length, (token) => free[token]!, count, { maxWidth, rng: random(seed, "spans") });
}

describe("drawing spans of free tokens", () => {
  it("keeps to free tokens, to the width and to the number, without overlaps, and repeats by seed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 20 }),
        fc.nat(6),
        fc.integer({ min: 1, max: 8 }),
        fc.nat(),
        (free, count, maxWidth, seed) => {
          const spans = draw(free, count, maxWidth, seed);
          expect(spans.length).toBeLessThanOrEqual(count);
          for (const { start, end } of spans) {
            expect(end - start).toBeGreaterThan(0);
            expect(end - start).toBeLessThanOrEqual(maxWidth);
            expect(free.slice(start, end).every((each) => each)).toBe(true);
          }
          spans.forEach((span, i) => {
            expect(spans.slice(i + 1).some((other) => overlaps(span, other))).toBe(false);
          });
          expect(draw(free, count, maxWidth, seed)).toEqual(spans);
          if (count > 0 && free.includes(true)) expect(spans.length).toBeGreaterThan(0);
        },
      ),
    );
  });

  it("draws nothing where nothing is free, and the token where there is one", () => {
    expect(draw([], 3, 10)).toEqual([]);
    expect(draw([false, false], 3, 10)).toEqual([]);
    expect(draw([true], 1, 10)).toEqual([{ start: 0, end: 1 }]);
    expect(draw([true], 5, 10)).toEqual([{ start: 0, end: 1 }]);
  });

  it("gives every candidate the same chance", () => {
    // Runs of 3 and of 2 tokens, width 2: five candidates and three.
    const free = [true, true, true, false, true, true];
    const counts = new Map<string, number>();
    const draws = 8000;
    for (let seed = 0; seed < draws; seed++) {
      const [{ start, end }] = draw(free, 1, 2, seed) as [Span];
      counts.set(`${start}-${end}`, (counts.get(`${start}-${end}`) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(["0-1", "0-2", "1-2", "1-3", "2-3", "4-5", "4-6", "5-6"]);
    for (const count of counts.values()) expect(Math.abs(count - draws / 8)).toBeLessThan(5 * Math.sqrt(draws / 8));
  });
});
