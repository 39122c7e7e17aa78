import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { calibrateByLabels, calibrateByOutcomes, isotonic } from "./calibration.ts";
import { fitLogistic, logisticAt } from "./logistic.ts";
import { estimateMissing } from "./missing-estimate.ts";
import { fitNoise, missingProbability, posterior } from "./noise-model.ts";

const at = (label: number, seen = true, ordinary = 0) => ({ label, seen, ordinary });

describe("calibration", () => {
  it("without dev divides by what the labels themselves get, for known and new names apart", () => {
    const labels = [...new Array(30).fill(at(0.8)), ...new Array(30).fill(at(0.4, false))];
    const calibration = calibrateByLabels(labels);
    expect(calibration(at(0.4))).toBeCloseTo(0.98 * 0.5 + 0.02 * 0.4, 12);
    expect(calibration(at(0.2, false))).toBeCloseTo(0.98 * 0.5 + 0.02 * 0.2, 12);
    expect(calibration(at(0.9))).toBeLessThan(1);
  });

  it("on dev is the isotonic regression, by hand", () => {
    const outcomes = [
      [0.1, 0],
      [0.2, 1],
      [0.3, 0],
      [0.4, 1],
    ].map(([label, outcome]) => ({ evidence: at(label!), outcome: outcome! }));
    expect(isotonic(outcomes)).toEqual([
      { label: 0.1, outcome: 0, count: 1 },
      { label: 0.25, outcome: 0.5, count: 2 },
      { label: 0.4, outcome: 1, count: 1 },
    ]);
    expect(calibrateByOutcomes(outcomes)(at(0.25))).toBeCloseTo(0.98 * 0.5 + 0.02 * 0.25, 12);
  });

  it("on dev is as good as the best of many rising functions, and never falls", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 1 })), {
          minLength: 1,
          maxLength: 12,
        }),
        (drawn) => {
          const outcomes = drawn.map(([label, outcome]) => ({ evidence: at(label), outcome }));
          const blocks = isotonic(outcomes);
          for (const [i, block] of blocks.entries())
            if (i > 0) expect(block.outcome).toBeGreaterThan(blocks[i - 1]!.outcome);
          const total = blocks.reduce((sum, { outcome, count }) => sum + outcome * count, 0);
          expect(total).toBeCloseTo(
            drawn.reduce((sum, [, outcome]) => sum + outcome, 0),
            9,
          );
        },
      ),
    );
  });
});

describe("logistic regression", () => {
  it("has no gradient where it ends, but for what holds it at the start", () => {
    const observations = [
      { features: [1, 2], outcome: 1 },
      { features: [1, 0.5], outcome: 1 },
      { features: [1, -1], outcome: 0 },
      { features: [1, 1], outcome: 0 },
    ];
    const start = [0, 1];
    const weights = fitLogistic(observations, start);
    for (const i of [0, 1]) {
      const slope = observations.reduce(
        (sum, { features, outcome }) => sum + (outcome - logisticAt(weights, features)) * features[i]!,
        0,
      );
      expect(slope).toBeCloseTo(0.1 * (weights[i]! - start[i]!), 6);
    }
  });

  it("is finite for data that a line separates", () => {
    const observations = [-2, -1, 1, 2].map((x) => ({ features: [1, x], outcome: x > 0 ? 1 : 0 }));
    for (const weight of fitLogistic(observations, [0, 0])) expect(Number.isFinite(weight)).toBe(true);
  });
});

describe("the model of noise", () => {
  const rates = { label: 0.8, type: 0.02, boundary: 0.01, none: 0.001, repeated: 0, correct: 0.9 };

  it("weighs what could be true by how often annotators do each, by hand", () => {
    const shares = posterior({ right: 0.5, type: 0.4, boundary: 0, none: 0.1 }, rates);
    const sum = 0.8 * 0.5 + 0.02 * 0.4 + 0.001 * 0.1;
    expect(shares.right).toBeCloseTo((0.8 * 0.5) / sum, 12);
    expect(shares.right + shares.type + shares.boundary + shares.none).toBeCloseTo(1, 12);
  });

  it("says by Bayes how probable a missing label is", () => {
    expect(missingProbability(0.5, 0.4, rates, false)).toBeCloseTo((0.2 * 0.5) / (0.2 * 0.5 + 0.5), 12);
    expect(missingProbability(0, 0.4, rates, false)).toBe(0);
    // Of 100 such spans 50 are entities; 40 are labelled, 36 of them rightly; 14 of the other 60 are missing.
    expect(missingProbability(0.5, 0.4, rates, true)).toBeCloseTo(14 / 60, 12);
    expect(missingProbability(0.3, 0.4, rates, true)).toBe(0);
  });

  const right = { right: 0.9, type: 0.01, boundary: 0.01, none: 0.05 };
  const wrong = { right: 0.001, type: 0.95, boundary: 0.01, none: 0.03 };
  const labels = (doubted: number) => [...new Array(100 - doubted).fill(right), ...new Array(doubted).fill(wrong)];
  const counts = { entities: 120, spans: 6000, calibrated: false };

  it("learns from calibrated readings, and finds more noise where more labels look wrong", () => {
    const few = fitNoise(labels(2), { ...counts, calibrated: true });
    const many = fitNoise(labels(30), { ...counts, calibrated: true });
    expect(many.type).toBeGreaterThan(3 * few.type);
    expect(many.correct).toBeLessThan(few.correct - 0.2);
    expect(many.repeated).toBe(0);
  });

  it("has the usual rates where nothing is known, and as many errors repeated as contradicted, by hand", () => {
    // 95 of 100 labels are right, of 120 entities and one more each; 5/3 are wrong in each of three ways.
    const expected = { label: 96 / 121, type: 5 / 3 / 120, boundary: 5 / 3 / 120, none: 5 / 3 / 6000 };
    const doubt = ({ right: own, type, boundary, none }: typeof right): number => {
      const error = expected.type * type + expected.boundary * boundary + expected.none * none;
      return error / (expected.label * own + error);
    };
    const contradicted = 0.7 * doubt(right) + 0.3 * doubt(wrong);
    const found = fitNoise(labels(30), counts);
    for (const [name, rate] of Object.entries(expected))
      expect(found[name as keyof typeof found]).toBeCloseTo(rate, 12);
    expect(contradicted).toBeGreaterThan(0.25);
    expect(found.repeated).toBeCloseTo(contradicted, 12);
    expect(found.correct).toBeCloseTo((1 - contradicted) ** 2, 12);
  });

  it("takes the share of right labels that it is told, but never one that the models have already shown too high", () => {
    for (const trust of [0.3, 0.5, 0.65])
      expect(fitNoise(labels(30), { ...counts, trust }).correct).toBeCloseTo(trust, 12);
    const told = fitNoise(labels(30), { ...counts, trust: 0.99 });
    expect(told.repeated).toBe(0);
    expect(told.correct).toBeLessThan(0.9);
  });

  it("does not doubt every label where models have learned nothing, and none in a way that it cannot be read in", () => {
    const useless = { right: 0.01, type: 0, boundary: 0.01, none: 0.97 };
    const found = fitNoise(new Array(100).fill(useless), { ...counts, entities: 5 });
    const shares = posterior(useless, found);
    expect(shares.right).toBeGreaterThan(0.9);
    expect(shares.type).toBe(0);
  });

  it("knows of no noise where there are no labels", () => {
    expect(fitNoise([], counts)).toMatchObject({ type: 0, boundary: 0, none: 0, repeated: 0, correct: 1 });
  });
});

describe("the estimate of what is missing", () => {
  const rates = { label: 0.5, type: 0, boundary: 0, none: 0, repeated: 0, correct: 1 };
  const calibration = ({ label }: { label: number }): number => label;
  const options = {
    types: ["LOC", "PER"],
    labelled: new Map([["PER", 7]]),
    rates,
    calibration,
    calibrated: false,
    redraw: () => calibration,
    seed: 1,
  };

  it("is the sum of the probabilities, with an interval that holds chance", () => {
    const gaps = Array.from({ length: 300 }, () => ({ type: "PER", evidence: at(0.5) }));
    const [places, people] = estimateMissing(gaps, options);
    // missing = 0.5 · 0.5 / (0.5 · 0.5 + 0.5) = 1/3
    expect(people).toMatchObject({ type: "PER", labelled: 7, missing: expect.closeTo(100, 6) });
    // Chance in 300 spans, and a tenth of the whole because labels may mislead.
    const deviation = Math.sqrt((300 * 2) / 9 + 10 ** 2);
    expect(people!.low).toBeGreaterThan(100 - 3 * deviation);
    expect(people!.low).toBeLessThan(100 - deviation);
    expect(people!.high).toBeGreaterThan(100 + deviation);
    expect(people!.high).toBeLessThan(100 + 3 * deviation);
    expect(places).toEqual({ type: "LOC", labelled: 0, missing: 0, low: 0, high: 0 });
  });

  it("is wider where the calibration could be another", () => {
    const gaps = Array.from({ length: 300 }, () => ({ type: "PER", evidence: at(0.5) }));
    const width = ({ low, high }: { low: number; high: number }): number => high - low;
    const redraw = (rng: { next(): number }) => {
      const shift = rng.next() - 0.5;
      return ({ label }: { label: number }) => Math.min(1, Math.max(0, label + 0.6 * shift));
    };
    const [, sure] = estimateMissing(gaps, options);
    const [, unsure] = estimateMissing(gaps, { ...options, redraw });
    expect(width(unsure!)).toBeGreaterThan(1.5 * width(sure!));
  });

  it("is narrower where complete text calibrates", () => {
    const gaps = Array.from({ length: 300 }, () => ({ type: "PER", evidence: at(0.5) }));
    const width = ({ low, high }: { low: number; high: number }): number => high - low;
    const none = { ...options, rates: { ...rates, correct: 0 } };
    const [, guessed] = estimateMissing(gaps, none);
    const [, known] = estimateMissing(gaps, {
      ...none,
      calibrated: true,
      calibration: () => 1 / 6,
      redraw: () => () => 1 / 6,
    });
    // The same sum either way: 1/6 / (1 − 0.5) = 1/3.
    expect(known!.missing).toBeCloseTo(guessed!.missing, 6);
    expect(width(known!)).toBeLessThan(0.8 * width(guessed!));
  });
});
