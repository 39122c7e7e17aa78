import { describe, expect, it } from "vitest";
import type { ItemScores } from "../heads/index.ts";
import { spanMeans } from "./mean-spans.ts";
import { spanProbabilities } from "./span-probabilities.ts";

/** Scores of items `[start, end)` with a row of probabilities each. */
function scoresOf(spans: readonly (readonly [number, number])[], rows: readonly (readonly number[])[]): ItemScores {
  const logProbs = Float32Array.from(rows.flat(), Math.log);
  const items = {
    size: spans.length,
    starts: () => Int32Array.from(spans, ([start]) => start),
    ends: () => Int32Array.from(spans, ([, end]) => end),
  };
  return { items, logProbs, logits: logProbs };
}

const tokens = (rows: readonly (readonly number[])[]): ItemScores =>
  scoresOf(
    rows.map((_, i) => [i, i + 1] as const),
    rows,
  );

describe("the probabilities of spans", () => {
  it("are those of a span model, without what is next to impossible", () => {
    const scores = scoresOf(
      [
        [0, 1],
        [0, 2],
        [1, 2],
      ],
      [
        [0.5, 0.3, 0.2],
        [0.9999, 0.00005, 0.00005],
        [0.1, 0.1, 0.8],
      ],
    );
    const found = spanProbabilities(["O", "LOC", "PER"], ["LOC", "PER"])(scores);
    expect(found.map(({ start, end }) => [start, end])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(found[1]!.probs[1]).toBeCloseTo(0.8, 5);
  });

  it("of a tagger are those of the least probable tag, and of not going on, by hand", () => {
    //                     O    B    I
    const scores = tokens([
      [0.1, 0.8, 0.1],
      [0.3, 0.1, 0.6],
      [0.75, 0.05, 0.2],
    ]);
    const found = spanProbabilities(["O", "B-PER", "I-PER"], ["PER"])(scores);
    const prob = (start: number, end: number): number | undefined =>
      found.find((span) => span.start === start && span.end === end)?.probs[0];
    expect(prob(0, 1)).toBeCloseTo(0.4, 5); // B 0.8, then not I: 0.4
    expect(prob(0, 2)).toBeCloseTo(0.6, 5); // B 0.8, I 0.6, then not I: 0.8
    expect(prob(0, 3)).toBeCloseTo(0.2, 5);
    expect(prob(1, 2)).toBeCloseTo(0.1, 5);
    expect(prob(2, 3)).toBeCloseTo(0.05, 5);
  });

  it("of a tagger with tags for the end and for single tokens need these tags", () => {
    const labels = ["O", "B-PER", "I-PER", "E-PER", "S-PER"];
    const scores = tokens([
      [0.1, 0.6, 0.05, 0.05, 0.2],
      [0.2, 0.05, 0.05, 0.65, 0.05],
    ]);
    const found = spanProbabilities(labels, ["PER"])(scores);
    const probs = Object.fromEntries(found.map(({ start, end, probs: [prob] }) => [`${start}-${end}`, prob]));
    expect(probs["0-1"]).toBeCloseTo(0.2, 5);
    expect(probs["0-2"]).toBeCloseTo(0.6, 5);
    expect(probs["1-2"]).toBeCloseTo(0.05, 5);
  });

  it("of an extra type without a name do not count", () => {
    const found = spanProbabilities(
      ["O", "B-PER", "I-PER", "B-NON", "I-NON"],
      ["PER"],
    )(tokens([[0.1, 0.2, 0, 0.7, 0]]));
    expect(found).toHaveLength(1);
    expect(found[0]!.probs[0]).toBeCloseTo(0.2, 5);
  });
});

describe("the mean of several models", () => {
  it("counts a span that a model did not list as 0, and counts votes", () => {
    const means = spanMeans();
    means.add([{ start: 0, end: 1, probs: [0.6, 0.2] }]);
    means.add([
      { start: 0, end: 1, probs: [0.2, 0.4] },
      { start: 2, end: 3, probs: [0.05, 0.0] },
    ]);
    expect(means.spans()).toEqual([
      { start: 0, end: 1, probs: [0.4, expect.closeTo(0.3, 12)], votes: [1, 1] },
      { start: 2, end: 3, probs: [0.025, 0], votes: [0, 0] },
    ]);
  });
});
