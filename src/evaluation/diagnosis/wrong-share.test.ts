import { expect, it } from "vitest";
import { sentenceOf } from "../../../test/support/words.ts";
import { wrongShare } from "./wrong-share.ts";

const corpus = [
  sentenceOf("May met Ana", {
    entities: [
      { start: 0, end: 1, type: "PER" },
      { start: 2, end: 3, type: "PER" },
    ],
  }),
  sentenceOf("Ana", { entities: [{ start: 0, end: 1, type: "LOC" }] }),
  sentenceOf("Ana", { entities: [{ start: 0, end: 1, type: "PER" }] }),
];

it("counts the places of labelled names that are no entity of their usual type, but not those within longer ones", () => {
  const right = Array.from({ length: 9 }, () => sentenceOf("Ana", { entities: [{ start: 0, end: 1, type: "PER" }] }));
  const wrong = [
    sentenceOf("in May", {}),
    sentenceOf("so May", {}),
    sentenceOf("Ana", { entities: [{ start: 0, end: 1, type: "LOC" }] }),
  ];
  const within = sentenceOf("May Day Ana", { entities: [{ start: 0, end: 2, type: "EVENT" }] });
  // 9 right; wrong: May twice, Ana once as a place, and Ana beside the longer name, which is no entity there.
  expect(wrongShare(corpus, [...right, ...wrong, within])).toEqual({ wrong: 1 - 9 / 13, evidence: 13 });
});

it("does not tell by fewer than ten places", () => {
  expect(wrongShare(corpus, [sentenceOf("so May")])).toEqual({ evidence: 1 });
  expect(wrongShare([], [])).toEqual({ evidence: 0 });
});
