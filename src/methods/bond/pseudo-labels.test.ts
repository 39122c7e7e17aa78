import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../../test/support/words.ts";
import { rounded, sharesOf } from "../targets.suite.ts";
import { pseudoLabels } from "./pseudo-labels.ts";

const sentences = [sentenceOf("so Ana"), sentenceOf("Rui")];
const corpus = sharesOf(
  ["PER"],
  [
    [
      [0.6, 0.4],
      [0.1, 0.9],
    ],
    [[0.5, 0.5]],
  ],
);

describe("pseudo-labels", () => {
  it("are p² over the sum of p, and train where one share is above the limit", () => {
    // f = (1.2, 1.8). The second token: 0.01 / 1.2 against 0.81 / 1.8.
    const { adjustments, kept, left } = pseudoLabels(corpus, sentences, { sure: 0.9, group: 0 });
    expect([kept, left]).toEqual([1, 2]);
    expect(adjustments.map(({ weight }) => weight)).toEqual([0, 1, 0]);
    expect(rounded(adjustments[1]!.target)).toEqual([0.0182, 0.9818]);
    const all = pseudoLabels(corpus, sentences, { sure: 0.5, group: 0 }).adjustments;
    // 0.36 / 1.2 against 0.16 / 1.8, and 0.25 / 1.2 against 0.25 / 1.8.
    expect(all.map(({ target }) => rounded(target))).toEqual([
      [0.7714, 0.2286],
      [0.0182, 0.9818],
      [0.6, 0.4],
    ]);
  });

  it("take the sums over some sentences at a time where that is asked for", () => {
    // f = (0.7, 1.3) in the first sentence.
    const { adjustments } = pseudoLabels(corpus, sentences, { sure: 0.9, group: 1 });
    expect(rounded(adjustments[1]!.target)).toEqual([0.0224, 0.9776]);
  });

  it("never speak of what was declared or is unsure, and leave plain negatives as they are", () => {
    const declared = [
      sentenceOf("Ana here so", {
        entities: [{ start: 0, end: 1, type: "PER" }],
        complete: [{ start: 0, end: 1 }],
        unsure: [{ start: 1, end: 2 }],
      }),
    ];
    const said = sharesOf(
      ["PER"],
      [
        [
          [0.01, 0.99],
          [0.01, 0.99],
          [0.9999, 0.0001],
        ],
      ],
    );
    expect(pseudoLabels(said, declared, { sure: 0.9, group: 0 })).toEqual({ adjustments: [], kept: 1, left: 0 });
  });

  it("never speak of what a person accepted in a review", () => {
    const accepted = { start: 0, end: 1, type: "PER", provenance: { source: "review" } };
    const reviewed = [sentenceOf("Ana Rui", { entities: [accepted, { start: 1, end: 2, type: "PER" }] })];
    const said = sharesOf(
      ["PER"],
      [
        [
          [0.99, 0.01],
          [0.99, 0.01],
        ],
      ],
    );
    const { adjustments } = pseudoLabels(said, reviewed, { sure: 0, group: 0 });
    expect(adjustments.map(({ start }) => start)).toEqual([1]);
  });

  it("keep clear of types that the annotation rules out", () => {
    const ruled = [sentenceOf("Ana", { rejected: [{ start: 0, end: 1, type: "PER" }] })];
    const said = sharesOf(["LOC", "PER"], [[[0.2, 0.2, 0.6]]]);
    const { adjustments } = pseudoLabels(said, ruled, { sure: 0.1, group: 0 });
    expect(rounded(adjustments[0]!.target)).toEqual([0.5, 0.5, 0]);
  });
});
