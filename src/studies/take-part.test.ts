import { expect, it } from "vitest";
import { annotate, tokenise, wholly } from "../text/index.ts";
import { takePart } from "./take-part.ts";

const sentences = Array.from({ length: 5 }, (_, i) =>
  annotate(tokenise(`Ana saw Porto ${i}`).sentences[0]!, {
    entities: [
      { start: 0, end: 1, type: "PER" },
      { start: 2, end: 3, type: "LOC" },
    ],
    complete: wholly(4),
  }),
);
const documents = [sentences.slice(0, 3), sentences.slice(3)].map((part) => ({ text: "", sentences: part }));

it("the parts of some documents are all their sentences, each once and in order", () => {
  const parts = [1, 2, 3].map((k) => takePart(documents, { part: [k, 3] }).flatMap((each) => each.sentences));
  expect(parts.map(({ length }) => length)).toEqual([1, 2, 2]);
  expect(parts.flat()).toEqual(sentences);
});

it("with some types alone, others are not labelled and nothing is said of them", () => {
  const [first] = takePart(documents, { types: ["PER"] })[0]!.sentences;
  expect(first!.entities.map(({ type }) => type)).toEqual(["PER"]);
  expect(first!.complete).toEqual([{ start: 0, end: 4, types: ["PER"] }]);
});
