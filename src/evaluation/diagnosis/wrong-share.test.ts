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

/** Ana is a person in nine sentences; whatever half they fall into, the name is no other thing there. */
const right = Array.from({ length: 18 }, (_, i) =>
  i % 2 === 0 ? sentenceOf("Ana", { entities: [{ start: 0, end: 1, type: "PER" }] }) : sentenceOf("so"),
);

it("counts the places of labelled names that are no entity of their usual type, but not those within longer ones", () => {
  const wrong = [sentenceOf("in May"), sentenceOf("so"), sentenceOf("so May"), sentenceOf("so")];
  const within = sentenceOf("May Day Ana", {
    entities: [
      { start: 0, end: 2, type: "EVENT" },
      { start: 2, end: 3, type: "PER" },
    ],
  });
  // Ana ten times right, May twice wrong. Of names of the sample's own halves there is no second place.
  expect(wrongShare(corpus, [...right, ...wrong, within])).toEqual({ wrong: 1 - 10 / 12, evidence: 12 });
});

it("forgives what names that are right are too: words are ambiguous", () => {
  // Half of the places of Ana are no person, in the corpus' eyes and in those of the other half of the sample.
  const both = Array.from({ length: 24 }, (_, i) =>
    sentenceOf("Ana", i % 4 < 2 ? { entities: [{ start: 0, end: 1, type: "PER" }] } : {}),
  );
  expect(wrongShare(corpus, both)).toEqual({ wrong: 0, evidence: 24 });
});

it("does not tell by fewer than ten places", () => {
  expect(wrongShare(corpus, [sentenceOf("so May")])).toEqual({ evidence: 1 });
  expect(wrongShare([], [])).toEqual({ evidence: 0 });
});
