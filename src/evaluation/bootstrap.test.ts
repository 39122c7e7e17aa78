import { describe, expect, it } from "vitest";
import { random } from "../util/random.ts";
import { compareSystems, confidenceInterval, countsOf, type RunCounts } from "./bootstrap.ts";
import { pair } from "./examples.suite.ts";

/** Counts of sentences written as `correct/predicted/gold`. */
function run(notation: string): RunCounts {
  return notation.split(" ").map((sentence) => {
    const [correct, predicted, gold] = sentence.split("/").map(Number);
    return { correct: correct!, predicted: predicted!, gold: gold! };
  });
}

function f1(counts: RunCounts): number {
  const [correct, predicted, gold] = (["correct", "predicted", "gold"] as const).map((key) =>
    counts.reduce((sum, sentence) => sum + sentence[key], 0),
  );
  const precision = predicted! > 0 ? correct! / predicted! : 0;
  const recall = gold! > 0 ? correct! / gold! : 0;
  return precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

/** Every way to draw `count` of `count` things with replacement, all equally likely. */
function draws(count: number, length = count): number[][] {
  if (length === 0) return [[]];
  return draws(count, length - 1).flatMap((rest) => Array.from({ length: count }, (_, first) => [first, ...rest]));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The smallest value that at least this share of the values does not exceed. */
function exactQuantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1]!;
}

const weak = run("1/3/2 0/1/2 2/2/2 0/0/1 1/2/1");
const strong = run("2/3/2 1/1/2 1/2/2 1/1/1 1/2/1");

describe("against the enumeration of all 5⁵ resamples", () => {
  const all = draws(5);
  const scores = (counts: RunCounts): number[] => all.map((drawn) => f1(drawn.map((index) => counts[index]!)));

  it("has the quantiles of the exact distribution", () => {
    const { f1: observed, low, high } = confidenceInterval([weak], { resamples: 20_000, level: 0.9 });
    expect(observed).toBeCloseTo(f1(weak), 12);
    expect(low).toBeCloseTo(exactQuantile(scores(weak), 0.05), 2);
    expect(high).toBeCloseTo(exactQuantile(scores(weak), 0.95), 2);
  });

  it("has the exact p-value and the quantiles of the difference", () => {
    const { difference, p } = compareSystems([weak], [strong], { resamples: 20_000 });
    const observed = f1(strong) - f1(weak);
    const first = scores(weak);
    const differences = scores(strong).map((value, index) => value - first[index]!);
    const exactP = mean(differences.map((value) => Number(Math.abs(value - observed) >= Math.abs(observed))));
    expect(difference.f1).toBeCloseTo(observed, 12);
    expect(exactP).toBeGreaterThan(0.01);
    // Three standard errors of a share of 20,000.
    expect(Math.abs(p - exactP)).toBeLessThan(3 * Math.sqrt((exactP * (1 - exactP)) / 20_000));
    expect(difference.low).toBeCloseTo(exactQuantile(differences, 0.025), 2);
    expect(difference.high).toBeCloseTo(exactQuantile(differences, 0.975), 2);
  });
});

it("draws runs too: with one sentence all variance is that of the seeds", () => {
  const runs = ["5/10/10", "6/10/10", "9/10/10"].map(run);
  const exact = draws(3).map((drawn) => mean(drawn.map((index) => f1(runs[index]!))));
  const { f1: observed, low, high } = confidenceInterval(runs, { resamples: 5000, level: 0.8 });
  expect(observed).toBeCloseTo(mean([0.5, 0.6, 0.9]), 12);
  expect(low).toBeCloseTo(exactQuantile(exact, 0.1), 10);
  expect(high).toBeCloseTo(exactQuantile(exact, 0.9), 10);
  expect(confidenceInterval(runs.slice(0, 1), { resamples: 100 })).toEqual({ f1: 0.5, low: 0.5, high: 0.5 });
});

it("covers the true F1 about as often as it says", () => {
  // Each sentence: one gold entity found with probability 0.7, and no false alarm, so F1 = 2 · 0.7 / 1.7.
  const truth = (2 * 0.7) / 1.7;
  const trials = 300;
  let covered = 0;
  for (let trial = 0; trial < trials; trial++) {
    const rng = random(11, "coverage", trial);
    const counts = Array.from({ length: 80 }, () => {
      const found = Number(rng.next() < 0.7);
      return { correct: found, predicted: found, gold: 1 };
    });
    const { low, high } = confidenceInterval([counts], { resamples: 300, seed: trial, level: 0.9 });
    covered += Number(low <= truth && truth <= high);
  }
  expect(covered / trials).toBeGreaterThan(0.84);
  expect(covered / trials).toBeLessThan(0.96);
});

it("finds no difference between a system and itself, and the smallest possible p for one that is always better", () => {
  expect(compareSystems([weak], [weak])).toMatchObject({ difference: { f1: 0, low: 0, high: 0 }, p: 1 });
  const never = run(Array.from({ length: 40 }, () => "0/1/1").join(" "));
  const always = run(Array.from({ length: 40 }, () => "1/1/1").join(" "));
  const { p, difference } = compareSystems([never], [always], { resamples: 999 });
  expect(difference).toEqual({ f1: 1, low: 1, high: 1 });
  expect(p).toBe(1 / 1000);
});

it("is the mirror image when the systems change places", () => {
  const there = compareSystems([weak], [strong]);
  const back = compareSystems([strong], [weak]);
  expect(back.p).toBe(there.p);
  expect(back.difference.f1).toBeCloseTo(-there.difference.f1, 12);
  expect(back.difference.low).toBeCloseTo(-there.difference.high, 12);
});

it("repeats by seed", () => {
  expect(confidenceInterval([weak], { seed: 4 })).toEqual(confidenceInterval([weak], { seed: 4 }));
  const samples = new Set([1, 2, 3, 4].map((seed) => confidenceInterval([weak], { seed, resamples: 5 }).low));
  expect(samples.size).toBeGreaterThan(1);
});

it("counts sentences on exact boundaries and type", () => {
  expect(countsOf(pair("A 0 1, B 2 4", "A 0 1, B 2 3, B 5 6"))).toEqual({ correct: 1, predicted: 3, gold: 2 });
});

it("scores no sentences as 0", () => {
  expect(confidenceInterval([[]], { resamples: 10 })).toEqual({ f1: 0, low: 0, high: 0 });
});

it("refuses what it cannot use", () => {
  expect(() => confidenceInterval([])).toThrow("bootstrap: a system needs at least one run, got none");
  expect(() => confidenceInterval([weak, weak.slice(1)])).toThrow("all runs need the same sentences, got 5 and 4");
  expect(() => compareSystems([weak], [weak.slice(1)])).toThrow("both systems need the same sentences, got 5 and 4");
  expect(() => confidenceInterval([weak], { resamples: 0 })).toThrow("resamples must be a whole number above 0, got 0");
  expect(() => confidenceInterval([weak], { level: 1 })).toThrow("level must lie between 0 and 1, got 1");
});
