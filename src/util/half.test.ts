import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brainFloatsToFloats, floatsToHalves, halvesToFloats } from "./half.ts";

const every = Uint16Array.from({ length: 0x10000 }, (_, pattern) => pattern);

/** What the format's definition says: sign, five bits of exponent, ten of fraction. */
function defined(pattern: number): number {
  const sign = pattern >> 15 ? -1 : 1;
  const [exponent, fraction] = [(pattern >> 10) & 31, pattern & 1023];
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

describe("16-bit floats", () => {
  it("mean what their definition says, all 65,536 of them", () => {
    halvesToFloats(every).forEach((number, pattern) => {
      if (!Object.is(number, defined(pattern))) expect.fail(`${pattern}: expected ${defined(pattern)}, got ${number}`);
    });
  });

  it("come back from float32 as they were", () => {
    const numbers = every.filter((pattern) => !Number.isNaN(defined(pattern)));
    expect(floatsToHalves(halvesToFloats(numbers))).toEqual(numbers);
    expect([...floatsToHalves(Float32Array.of(Number.NaN))]).toEqual([0x7e00]);
  });

  it("are the nearest to any float32, of two equally near ones the even one", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.float({ noNaN: true, min: -65519, max: 65519 }),
          fc.float({ noNaN: true, min: Math.fround(-1e-4), max: Math.fround(1e-4) }),
        ),
        (number) => {
          const half = floatsToHalves(Float32Array.of(number))[0]!;
          const distance = (pattern: number): number => Math.abs(defined(pattern) - number);
          for (const neighbour of [half - 1, half + 1].filter(
            (n) => Number.isFinite(defined(n)) && n >> 15 === half >> 15,
          )) {
            expect(distance(half)).toBeLessThanOrEqual(distance(neighbour));
            if (distance(half) === distance(neighbour)) expect(half % 2).toBe(0);
          }
        },
      ),
    );
  });

  it("round ties to even, and overflow from 65,520 on", () => {
    const numbers = [1 + 1 / 2048, 1 + 3 / 2048, 2 ** -25, 3 * 2 ** -25, 65519.9, 65520, -1e30, -0];
    expect([...floatsToHalves(Float32Array.from(numbers))]).toEqual([
      0x3c00, 0x3c02, 0, 2, 0x7bff, 0x7c00, 0xfc00, 0x8000,
    ]);
  });
});

describe("brain floats", () => {
  it("are the upper half of a float32", () => {
    expect([...brainFloatsToFloats(Uint16Array.of(0x3f80, 0xc000, 0x4049, 0x7f80, 0))]).toEqual([
      1,
      -2,
      3.140625,
      Number.POSITIVE_INFINITY,
      0,
    ]);
  });
});
