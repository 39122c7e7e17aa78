import { describe, expect, it } from "vitest";
import { labelled, placedAlone } from "./corpus.suite.ts";
import { countsOfCorpus } from "./counts.ts";
import { distributionOf } from "./distribution.ts";
import { sparsityOf } from "./sparsity.ts";
import { widthsOf } from "./widths.ts";

const corpus = [
  labelled("Ada/PER met Bob/PER in New_York/LOC"),
  labelled("Ada/PER slept"),
  labelled("nobody came", { complete: true }),
];

describe("counts", () => {
  it("entities, densities and distinct names by type", () => {
    const counts = countsOfCorpus(placedAlone(corpus), 3);
    expect(counts).toMatchObject({
      documents: 3,
      sentences: 3,
      tokens: 10,
      entities: 4,
      density: 0.4,
      completeSentences: 1,
      sentencesWithoutEntities: 1,
    });
    expect(counts.byType).toEqual({
      LOC: { entities: 1, share: 0.25, density: 0.1, surfaces: 1, once: 1 },
      PER: { entities: 3, share: 0.75, density: 0.3, surfaces: 2, once: 1 },
    });
    expect(counts.length).toMatchObject({ count: 3, mean: 10 / 3, min: 2, median: 2, q75: 6, max: 6 });
  });
});

describe("a distribution", () => {
  it("gives the smallest value that a share of the numbers does not exceed", () => {
    const distribution = distributionOf([5, 1, 4, 2, 3, 10, 9, 8, 7, 6]);
    expect(distribution).toEqual({
      count: 10,
      mean: 5.5,
      min: 1,
      q25: 3,
      median: 5,
      q75: 8,
      q95: 10,
      q99: 10,
      max: 10,
    });
  });

  it("of nothing is all zero", () => {
    expect(distributionOf([])).toMatchObject({ count: 0, mean: 0, min: 0, median: 0, max: 0 });
  });
});

describe("widths", () => {
  it("are summed up by type, with what a limit loses", () => {
    const { all, byType, losses } = widthsOf(corpus, [1, 2]);
    expect(all).toMatchObject({ count: 4, mean: 1.25, max: 2 });
    expect(byType.LOC).toMatchObject({ count: 1, median: 2 });
    expect(losses).toEqual([
      { limit: 1, lost: 1, share: 0.25, byType: { LOC: 1, PER: 0 } },
      { limit: 2, lost: 0, share: 0, byType: { LOC: 0, PER: 0 } },
    ]);
  });
});

describe("entities against the square root of the length", () => {
  it("counts sentences with strictly more", () => {
    const four = "a/X b/X c d";
    const sparsity = sparsityOf([
      labelled(four),
      labelled("a/X b/X c/X d"),
      labelled("a b c d"),
      labelled("a/X b/X"),
      labelled("a/X"),
    ]);
    expect(sparsity.violations).toBe(2);
    expect(sparsity.share).toBe(2 / 5);
    expect(sparsity.lengths).toEqual([
      { length: 1, sentences: 1, mean: 1, deviation: 0, violations: 0 },
      { length: 2, sentences: 1, mean: 2, deviation: 0, violations: 1 },
      { length: 4, sentences: 3, mean: 5 / 3, deviation: Math.sqrt(14 / 9), violations: 1 },
    ]);
  });
});
