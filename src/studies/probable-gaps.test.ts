import { expect, it } from "vitest";
import { annotate, tokenise } from "../text/index.ts";
import { probableGaps } from "./probable-gaps.ts";

const entity = (start: number, end: number, type: string, score?: number) =>
  score === undefined ? { start, end, type } : { start, end, type, score };

const plain = tokenise("Ada met Bob in Paris").sentences[0]!;
const other = tokenise("Eve left Rome").sentences[0]!;

it("lists what the model finds where the annotation is silent, the most probable first, and counts what was hidden", () => {
  const sentences = [annotate(plain, { entities: [entity(0, 1, "PER")] }), other];
  const predicted = [
    annotate(plain, { entities: [entity(0, 1, "PER", 0.99), entity(2, 3, "PER", 0.8), entity(4, 5, "ORG", 0.7)] }),
    annotate(other, { entities: [entity(0, 1, "PER", 0.9), entity(2, 3, "LOC", 0.8)] }),
  ];
  const hidden = [[entity(2, 3, "PER"), entity(4, 5, "LOC")], [entity(2, 3, "LOC")]];
  const { all, right } = probableGaps(sentences, predicted, hidden);
  expect(all.map((gap) => [gap.surface, gap.entity.type, gap.probability, gap.sentence, gap.hidden])).toEqual([
    ["Eve", "PER", 0.9, 1, false],
    ["Bob", "PER", 0.8, 0, true],
    ["Rome", "LOC", 0.8, 1, true],
    ["Paris", "ORG", 0.7, 0, false],
  ]);
  expect(right).toBe(2);
});

it("takes nothing for a gap of which the annotation speaks: overlaps, rejected and undecided spans", () => {
  const spoken = annotate(plain, {
    entities: [entity(0, 2, "PER")],
    rejected: [
      { start: 2, end: 3 },
      { start: 4, end: 5, type: "LOC" },
    ],
    unsure: [{ start: 3, end: 4 }],
  });
  const predicted = annotate(plain, {
    entities: [entity(1, 2, "PER", 0.9), entity(2, 3, "PER", 0.9), entity(3, 4, "LOC", 0.9), entity(4, 5, "LOC", 0.9)],
  });
  expect(probableGaps([spoken], [predicted], [[]])).toEqual({ all: [], right: 0 });
  const otherType = annotate(plain, { entities: [entity(4, 5, "ORG", 0.9)] });
  expect(probableGaps([spoken], [otherType], [[]]).all).toHaveLength(1);
});
