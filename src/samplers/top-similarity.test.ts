import { describe, expect, it } from "vitest";
import { constant, Program, runReference, type Tensor, topK } from "../tensor/index.ts";
import { gaussian, random } from "../util/random.ts";
import { samplerSettings } from "./index.ts";
import { similarity, type TopSimilaritySettings, topSimilarity } from "./top-similarity.ts";

const defaults = { rate: 0.25, on: "hidden", keep: "top", noPositives: "random" } as const;

function numbers(tensor: Tensor): number[] {
  return [...runReference([tensor], {})[0]!.data];
}

/** Two sentences of three spans each: four unknown ones and two positives. */
const vectors = constant([1, 0, 1, 1, 1, 0, -1, 0, 0, 1, 0, 1], [2, 3, 2]);
const positives = constant([0, 0, 1, 0, 0, 1], [2, 3]);
const noise = constant([0.3, 0.1, 0.9, 0.7, 0.2, 0.8], [2, 3]);
const unknownPlaces = [0, 1, 3, 4];

function order(settings: Partial<TopSimilaritySettings>, marks = positives): number[] {
  const sampler = topSimilarity({ ...defaults, ...settings });
  const priority = numbers(sampler.priority({ hidden: vectors, vectors: () => vectors, positives: marks, noise }));
  return unknownPlaces.toSorted((a, b) => priority[b]! - priority[a]! || a - b);
}

describe("mean cosine to the positives", () => {
  it("has the worked values", () => {
    const found = numbers(similarity(vectors, positives));
    expect(unknownPlaces.map((place) => found[place])).toEqual(
      [0.5, Math.SQRT1_2, -0.5, 0.5].map((each) => expect.closeTo(each, 6)),
    );
  });

  it("is the mean over all pairs, as a loop over them finds", () => {
    const rng = random(2, "cosines");
    const rows = Array.from({ length: 12 }, () => Array.from({ length: 5 }, () => gaussian(rng)));
    const marks = rows.map((_, i) => (i % 4 === 1 ? 1 : 0));
    const cosine = (a: number[], b: number[]): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    const entities = rows.filter((_, i) => marks[i] === 1);
    const expected = rows.map((row) => entities.reduce((total, each) => total + cosine(row, each), 0) / 3);
    const found = numbers(similarity(constant(rows.flat(), [3, 4, 5]), constant(marks, [3, 4])));
    found.forEach((each, i) => {
      expect(each).toBeCloseTo(expected[i]!, 10);
    });
  });

  it("is 0 for a vector of zeros, and everywhere when there are no positives", () => {
    expect(numbers(similarity(constant([0, 0, 3, 4], [1, 2, 2]), constant([0, 1], [1, 2])))).toEqual([
      0,
      expect.closeTo(1, 9),
    ]);
    expect(numbers(similarity(vectors, constant(new Array<number>(6).fill(0), [2, 3])))).toEqual([0, 0, 0, 0, 0, 0]);
  });
});

describe("top-similarity sampling", () => {
  it("takes the most similar first, and of equal ones the one that comes first", () => {
    expect(order({})).toEqual([1, 0, 4, 3]);
    expect(order({ keep: "bottom" })).toEqual([3, 0, 4, 1]);
    expect(order({ keep: "random" })).toEqual([3, 0, 4, 1]);
  });

  it("on a quarter of four keeps the second alone", () => {
    const sampler = topSimilarity(defaults);
    expect(sampler.count({ candidates: 4, positives: 2 })).toBe(1);
    expect(order({})[0]).toBe(1);
  });

  it("compares the spans' own vectors on demand", () => {
    const sampler = topSimilarity({ ...defaults, on: "span" });
    const other = constant([0, 1, 2, 0, 0, 1, 3, 3, 5, 0, 1, 0], [2, 3, 2]);
    const spans = { hidden: vectors, vectors: () => other, positives, noise };
    expect(numbers(sampler.priority(spans))).toEqual(numbers(similarity(other, positives)));
  });

  it("without positives draws at random, or not at all", () => {
    const none = constant(new Array<number>(6).fill(0), [2, 3]);
    expect(order({}, none)).toEqual([3, 0, 4, 1]); // by falling noise
    expect(topSimilarity({ ...defaults, noPositives: "random" }).count({ candidates: 40, positives: 0 })).toBe(10);
    expect(topSimilarity({ ...defaults, noPositives: "skip" }).count({ candidates: 40, positives: 0 })).toBe(0);
    expect(topSimilarity({ ...defaults, noPositives: "skip" }).count({ candidates: 40, positives: 1 })).toBe(10);
  });

  it("keeps ⌈rN⌉, at least one, and all at r = 1", () => {
    const count = (rate: number, candidates: number) =>
      topSimilarity({ ...defaults, rate }).count({ candidates, positives: 1 });
    expect([1, 20, 21, 100].map((n) => count(0.05, n))).toEqual([1, 1, 2, 5]);
    expect(count(1, 37)).toBe(37);
    expect(count(1e-6, 37)).toBe(1);
  });

  it("refuses a rate of 0", () => {
    expect(() => samplerSettings.parse({ name: "top-similarity", rate: 0 })).toThrow(/rate/);
  });

  it("finds equal priorities in the order of their places on the runtime, however few are taken", async () => {
    const priority = constant(
      Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? 1 : 0.5)),
      [300],
    );
    for (const k of [1, 2, 99, 130]) {
      const program = await Program.compile({ places: topK(priority, k).places });
      const { places } = await program.run({});
      await program.dispose();
      const thirds = Array.from({ length: 100 }, (_, i) => 3 * i);
      const rest = Array.from({ length: 300 }, (_, i) => i).filter((i) => i % 3 !== 0);
      expect([...places!.data]).toEqual([...thirds, ...rest].slice(0, k));
    }
  });
});

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((total, each, i) => total + each * b[i]!, 0);
}
