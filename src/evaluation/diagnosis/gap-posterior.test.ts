import { describe, expect, it } from "vitest";
import { random } from "../../util/random.ts";
import { type GapPosterior, gapPosterior, type LabelledForm } from "./gap-posterior.ts";

function mean({ shares, masses }: GapPosterior): number {
  return shares.reduce((sum, share, i) => sum + share * masses[i]!, 0);
}

/**
 * A second computation of the same mean: sums of rectangles over the share and over θ, nothing in logarithms, for a few
 * forms that stand a few times.
 */
function meanBySums(forms: readonly LabelledForm[]): number {
  const grid = 400;
  const middles = Array.from({ length: grid }, (_, i) => (i + 0.5) / grid);
  const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
  const chance = (shape: number, k: number, n: number, rate: number): number => {
    const of = (theta: number): number => choose(n, k) * (rate * theta) ** k * (1 - rate * theta) ** (n - k);
    // θ = u^(1/a) for u uniform has the density a·θ^(a−1).
    return shape === Number.POSITIVE_INFINITY
      ? of(1)
      : middles.reduce((sum, u) => sum + of(u ** (1 / shape)), 0) / grid;
  };
  let [weighted, total] = [0, 0];
  for (const rate of Array.from({ length: 50 }, (_, i) => (i + 0.5) / 50)) {
    const tables = new Map(
      [Number.POSITIVE_INFINITY, 100, 30, 0.25, 0.5, 1, 2].map((shape) => [
        shape,
        forms.map(({ labelled, occurrences }) => ({
          here: chance(shape, labelled, occurrences, rate),
          seen: 1 - chance(shape, 0, occurrences, rate),
        })),
      ]),
    );
    for (const faithful of [Number.POSITIVE_INFINITY, 100, 30]) {
      for (const ambiguous of [0.25, 0.5, 1, 2]) {
        for (let mixture = 0.025; mixture < 1; mixture += 0.05) {
          const mix = (key: "here" | "seen", i: number): number =>
            mixture * tables.get(faithful)![i]![key] + (1 - mixture) * tables.get(ambiguous)![i]![key];
          const weight = forms.reduce((product, _, i) => (product * mix("here", i)) / mix("seen", i), 1);
          weighted += weight * (1 - rate);
          total += weight;
        }
      }
    }
  }
  return weighted / total;
}

/** Forms that are always entities, with every label hidden by the share, as far as one is left. */
function forms(count: number, occurrences: number, share: number, theta = 1): LabelledForm[] {
  const rng = random(3, "forms", count, occurrences, share, theta);
  return Array.from({ length: count }, () => {
    const labels = Array.from({ length: occurrences }, () => rng.next() < (1 - share) * theta);
    return { labelled: labels.filter(Boolean).length, occurrences };
  }).filter(({ labelled }) => labelled > 0);
}

describe("the posterior of the missing share", () => {
  it("has masses that sum to 1 on cells inside [0, 1]", () => {
    const { shares, masses, step } = gapPosterior(forms(30, 5, 0.3));
    expect(masses.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(1, 12);
    expect(shares[0]! - step / 2).toBeGreaterThanOrEqual(-1e-12);
    expect(shares.at(-1)! + step / 2).toBeLessThanOrEqual(1 + 1e-12);
    expect(shares[1]! - shares[0]!).toBeCloseTo(step, 12);
  });

  it("equals plain sums over shares, shapes and mixtures", () => {
    const few = [
      { labelled: 2, occurrences: 2 },
      { labelled: 3, occurrences: 4 },
      { labelled: 1, occurrences: 3 },
      { labelled: 1, occurrences: 6 },
    ];
    expect(mean(gapPosterior(few))).toBeCloseTo(meanBySums(few), 2);
  });

  it.each([0, 0.2, 0.5, 0.8, 0.95])("finds a share of %d among forms that are always entities", (share) => {
    expect(Math.abs(mean(gapPosterior(forms(400, 12, share))) - share)).toBeLessThan(0.03);
  });

  it("makes up for forms with no label at all, which are never seen", () => {
    // Half the labels are hidden, but four sevenths of the mentions that can be seen are labelled.
    const seen = forms(4000, 3, 0.5);
    const labelled = seen.reduce((sum, form) => sum + form.labelled, 0) / (3 * seen.length);
    expect(labelled).toBeCloseTo(4 / 7, 2);
    // The plain share would be 0.07 off.
    expect(Math.abs(mean(gapPosterior(seen)) - 0.5)).toBeLessThan(0.05);
  });

  it("is hardly moved by common words that are an entity now and then", () => {
    const clean = forms(200, 10, 0.4);
    const words = forms(60, 200, 0.4, 0.03);
    expect(Math.abs(mean(gapPosterior([...clean, ...words])) - 0.4)).toBeLessThan(0.03);
  });

  it("grows narrower with more forms", () => {
    const spread = (posterior: GapPosterior): number => {
      const middle = mean(posterior);
      return Math.sqrt(
        posterior.shares.reduce((sum, share, i) => sum + (share - middle) ** 2 * posterior.masses[i]!, 0),
      );
    };
    expect(spread(gapPosterior(forms(800, 8, 0.5)))).toBeLessThan(spread(gapPosterior(forms(50, 8, 0.5))) / 2);
  });
});
