import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gaussian, keyOf, mix32, random, sampleIndices, shuffled } from "./random.ts";

/** Philox 2×32-10 again, in whole numbers of any size. */
function philox(counter: readonly [bigint, bigint], key: bigint): [bigint, bigint] {
  const low = (n: bigint): bigint => n & 0xffffffffn;
  let [left, right] = counter;
  for (let round = 0n; round < 10n; round++) {
    const product = left * 0xd256d193n;
    [left, right] = [low((product >> 32n) ^ low(key + round * 0x9e3779b9n) ^ right), low(product)];
  }
  return [left, right];
}

/** Σ (seen − expected)² / expected: near `cells`, give or take a few √(2 cells). */
function chiSquare(counts: readonly number[]): number {
  const expected = counts.reduce((a, b) => a + b) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

describe("random", () => {
  it("is Philox: the published vectors, and the same stream from a second implementation", () => {
    expect(philox([0n, 0n], 0n)).toEqual([0xff1dae59n, 0x6cd10df2n]);
    expect(philox([0xffffffffn, 0xffffffffn], 0xffffffffn)).toEqual([0x2c3f628bn, 0xab4fd7adn]);
    expect(philox([0x243f6a88n, 0x85a308d3n], 0x13198a2en)).toEqual([0xdd7ce038n, 0xf62a4c12n]);
    fc.assert(
      fc.property(fc.integer(), fc.string(), (seed, purpose) => {
        const low = keyOf(seed, purpose);
        const high = keyOf(low, "high", purpose);
        const rng = random(seed, purpose);
        for (let counter = 0n; counter < 3n; counter++) {
          const [first, second] = philox([counter, BigInt(high)], BigInt(low));
          expect([rng.uint32(), rng.uint32()]).toEqual([Number(first), Number(second)]);
        }
      }),
    );
  });

  it("leaves out numbers as if they had been drawn", () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(1000), (before, count) => {
        const [drawn, skipped] = [random(1, "skip"), random(1, "skip")];
        for (let i = 0; i < before; i++) expect(skipped.uint32()).toBe(drawn.uint32());
        for (let i = 0; i < count; i++) drawn.next();
        skipped.skip(count);
        expect([skipped.next(), skipped.next(), skipped.next()]).toEqual([drawn.next(), drawn.next(), drawn.next()]);
      }),
    );
  });

  it("repeats for the same key and not for another", () => {
    const start = (seed: number, ...key: (string | number)[]): number[] => {
      const rng = random(seed, ...key);
      return [rng.uint32(), rng.uint32(), rng.uint32()];
    };
    expect(start(1, "epoch", 3)).toEqual(start(1, "epoch", 3));
    const keys: [number, ...(string | number)[]][] = [
      [1, "epoch", 3],
      [2, "epoch", 3],
      [1, "epoch", 4],
      [1, "epoch", "3"],
      [1, "epoc", "h", 3],
      [1, 3, "epoch"],
      [1, "epoch"],
      [1.5, "epoch", 3],
    ];
    expect(new Set(keys.map((key) => start(...key).join())).size).toBe(keys.length);
  });

  it("fills (0, 1) evenly", () => {
    const rng = random(1, "next");
    const drawn = Array.from({ length: 100_000 }, () => rng.next());
    expect(drawn.every((number) => number > 0 && number < 1)).toBe(true);
    const counts = new Array<number>(100).fill(0);
    for (const number of drawn) counts[Math.floor(number * 100)]!++;
    expect(Math.abs(chiSquare(counts) - 99)).toBeLessThan(5 * Math.sqrt(2 * 99));
  });

  it("chooses below a limit without bias, also where a remainder would show", () => {
    const rng = random(1, "below");
    const limit = 3 * 2 ** 30; // 2³² is not a multiple: the remainder alone would favour the first third
    const counts = [0, 0, 0];
    for (let i = 0; i < 30_000; i++) counts[Math.floor(rng.below(limit) / 2 ** 30)]!++;
    expect(chiSquare(counts)).toBeLessThan(20);
    expect(random(1).below(1)).toBe(0);
  });

  it.each([0, -1, 1.5, 2 ** 33, Number.NaN])("refuses the limit %d", (limit) => {
    expect(() => random(1).below(limit)).toThrow(`random.below: limit must be an integer from 1 to 2^32, got ${limit}`);
  });
});

describe("what is made of random numbers", () => {
  it("mix32 is the finaliser of MurmurHash3", () => {
    expect([0, 1, 0xffffffff].map((number) => mix32(number) >>> 0)).toEqual([0, 0x514e28b7, 0x81f16f39]);
  });

  it("shuffled is a permutation, every one as often, and leaves its input alone", () => {
    const rng = random(1, "shuffle");
    const items = Object.freeze(["a", "b", "c", "d"]);
    const seen = new Map<string, number>();
    for (let i = 0; i < 12_000; i++) {
      const order = shuffled(items, rng).join("");
      seen.set(order, (seen.get(order) ?? 0) + 1);
    }
    expect([...seen.keys()].every((order) => [...order].sort().join("") === "abcd")).toBe(true);
    expect(seen.size).toBe(24);
    expect(Math.abs(chiSquare([...seen.values()]) - 23)).toBeLessThan(5 * Math.sqrt(2 * 23));
  });

  it("sampleIndices are distinct and in range, and all there are when more are asked for", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 60 }), fc.nat(), (size, count, seed) => {
        const chosen = sampleIndices(size, count, random(seed));
        expect(new Set(chosen).size).toBe(Math.min(size, count));
        expect(chosen.every((index) => Number.isInteger(index) && index >= 0 && index < size)).toBe(true);
      }),
    );
    expect(sampleIndices(2 ** 32, 3, random(1)).length).toBe(3);
  });

  it("sampleIndices chooses every subset as often", () => {
    const rng = random(1, "subsets");
    const seen = new Map<string, number>();
    for (let i = 0; i < 10_000; i++) {
      const subset = sampleIndices(5, 2, rng).sort().join();
      seen.set(subset, (seen.get(subset) ?? 0) + 1);
    }
    expect(seen.size).toBe(10);
    expect(Math.abs(chiSquare([...seen.values()]) - 9)).toBeLessThan(5 * Math.sqrt(2 * 9));
  });

  it("gaussian has the moments of the standard normal distribution", () => {
    const rng = random(1, "gaussian");
    const drawn = Array.from({ length: 100_000 }, () => gaussian(rng));
    const moment = (power: number): number => drawn.reduce((sum, x) => sum + x ** power, 0) / drawn.length;
    expect(Math.abs(moment(1))).toBeLessThan(0.015);
    expect(Math.abs(moment(2) - 1)).toBeLessThan(0.025);
    expect(Math.abs(moment(3))).toBeLessThan(0.06);
    expect(Math.abs(moment(4) - 3)).toBeLessThan(0.17);
  });
});
