import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logBeta, logChoose, logGamma, logIncompleteBeta } from "./special-functions.ts";

describe("special functions", () => {
  it("ln Γ: factorials, and the square root of π at one half", () => {
    let factorial = 1;
    for (let n = 1; n <= 20; n++) {
      expect(logGamma(n)).toBeCloseTo(Math.log(factorial), 11);
      factorial *= n;
    }
    expect(logGamma(0.5)).toBeCloseTo(0.5 * Math.log(Math.PI), 12);
    expect(logGamma(0.25)).toBeCloseTo(1.2880225246980774, 12);
  });

  it("ln of n choose k: the rows of Pascal's triangle", () => {
    let row = [1];
    for (let n = 1; n < 30; n++) {
      row = Array.from({ length: n + 1 }, (_, k) => (row[k - 1] ?? 0) + (row[k] ?? 0));
      for (const [k, value] of row.entries()) expect(Math.exp(logChoose(n, k)) / value).toBeCloseTo(1, 10);
    }
  });

  it("the incomplete beta function equals a sum of rectangles", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 30, noNaN: true }),
        fc.double({ min: 1, max: 30, noNaN: true }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (a, b, x) => {
          const steps = 20_000;
          let sum = 0;
          for (let i = 0; i < steps; i++) {
            const t = (x * (i + 0.5)) / steps;
            sum += t ** (a - 1) * (1 - t) ** (b - 1);
          }
          expect(Math.exp(logIncompleteBeta(a, b, x)) / ((sum * x) / steps)).toBeCloseTo(1, 4);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("the incomplete beta function at a half and a third: closed forms", () => {
    // ∫ t^(a−1) dt = x^a / a
    expect(logIncompleteBeta(0.25, 1, 0.3)).toBeCloseTo(Math.log(0.3 ** 0.25 / 0.25), 12);
    expect(logIncompleteBeta(7, 1, 0.9)).toBeCloseTo(Math.log(0.9 ** 7 / 7), 12);
    // ∫ (1−t)^(b−1) dt = (1 − (1−x)^b) / b
    expect(logIncompleteBeta(1, 50, 0.001)).toBeCloseTo(Math.log((1 - 0.999 ** 50) / 50), 12);
    expect(logIncompleteBeta(3, 4, 1)).toBe(logBeta(3, 4));
  });

  it("keeps its digits where the integral is too small for a number", () => {
    // x^a / a · (1 + …) with the first two terms of the series, whose third is below 1e-5 of the first.
    const series = 400 * Math.log(0.001) - Math.log(400) + Math.log1p((-9 * 0.001 * 400) / 401);
    expect(logIncompleteBeta(400, 10, 0.001)).toBeCloseTo(series, 4);
  });
});
