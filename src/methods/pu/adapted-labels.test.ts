import { expect, it } from "vitest";
import { sentenceOf } from "../../../test/support/words.ts";
import type { Entity } from "../../text/index.ts";
import { adaptedLabels } from "./adapted-labels.ts";

const options = { count: 3, words: 2 };
const at = (start: number, end: number, type: string): Entity => ({ start, end, type, score: 0.9 });

it("a phrase that is found wherever it stands, often enough, labels the places where nobody spoke", () => {
  const train = [
    sentenceOf("New York sleeps", { entities: [{ start: 0, end: 2, type: "LOC" }] }),
    sentenceOf("in New York"),
    sentenceOf("old New York"),
    sentenceOf("not New York", { complete: [{ start: 0, end: 3 }] }),
    sentenceOf("perhaps New York", { unsure: [{ start: 1, end: 3 }] }),
    sentenceOf("York and York and York"),
  ];
  const predicted = [
    [at(0, 2, "LOC")],
    [at(1, 3, "LOC")],
    [at(1, 3, "LOC")],
    [at(1, 3, "LOC")],
    [at(1, 3, "LOC")],
    [at(0, 1, "LOC"), at(2, 3, "LOC"), at(4, 5, "LOC")],
  ];
  const { sentences, phrases, labels } = adaptedLabels(train, predicted, options);
  // York alone also stands within New York, where it was not found.
  expect([phrases, labels]).toEqual([1, 2]);
  expect(sentences.map(({ entities }) => entities.length)).toEqual([1, 1, 1, 0, 0, 0]);
  expect(sentences[1]!.entities[0]).toEqual({ start: 1, end: 3, type: "LOC", provenance: { source: "bnpu" } });
});

it("a phrase is left out that is too rare, too long or of two types", () => {
  const train = ["a b c x", "a b c y", "a b c y", "a b c y", "x", "y"].map((text) => sentenceOf(text));
  const predicted = [
    [at(0, 3, "T"), at(3, 4, "T")],
    [at(0, 3, "T"), at(3, 4, "T")],
    [at(0, 3, "T"), at(3, 4, "U")],
    [at(0, 3, "T"), at(3, 4, "T")],
    [at(0, 1, "T")],
    [at(0, 1, "T")],
  ];
  expect(adaptedLabels(train, predicted, options)).toMatchObject({ phrases: 0, labels: 0 });
});
