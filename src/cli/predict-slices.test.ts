import { expect, it } from "vitest";
import { annotate, type Document, makeSentence, type Sentence, tokenCount } from "../text/index.ts";
import { predictInSlices } from "./predict-slices.ts";

/** A document of sentences with so many tokens each. */
function documentOf(id: string, ...lengths: number[]): Document {
  const text = "x ".repeat(Math.max(0, ...lengths));
  const sentences = lengths.map((length) =>
    makeSentence(text, Int32Array.from(Array.from({ length }, (_, i) => [2 * i, 2 * i + 1]).flat())),
  );
  return { id, text, sentences };
}

/** A model that calls the first token of every sentence by its length. */
function model(calls: number[]) {
  return {
    async sentences(sentences: readonly Sentence[]): Promise<Sentence[]> {
      calls.push(sentences.reduce((sum, sentence) => sum + tokenCount(sentence), 0));
      return sentences.map((sentence) =>
        annotate(sentence, { entities: [{ start: 0, end: 1, type: `T${tokenCount(sentence)}` }] }),
      );
    },
  };
}

async function predicted(documents: readonly Document[], calls: number[] = [], seen: number[] = []) {
  async function* stream() {
    yield* documents;
  }
  const result: Document[] = [];
  for await (const document of predictInSlices(model(calls), stream(), (tokens) => seen.push(tokens)))
    result.push(document);
  return result;
}

it("gives every sentence its own prediction, in order, whatever the lengths of documents", async () => {
  const documents = [
    documentOf("a", 3, 5),
    documentOf("none"),
    documentOf("long", ...Array.from({ length: 40 }, (_, i) => 500 + i)),
    documentOf("b", 7),
    documentOf("exact", 8000),
    documentOf("last"),
  ];
  const result = await predicted(documents);
  expect(result.map(({ id }) => id)).toEqual(documents.map(({ id }) => id));
  for (const [i, { sentences }] of result.entries()) {
    expect(sentences.map(({ entities }) => entities[0]!.type)).toEqual(
      documents[i]!.sentences.map((sentence) => `T${tokenCount(sentence)}`),
    );
  }
});

it("tells how far it is inside a long document", async () => {
  const [calls, seen]: [number[], number[]] = [[], []];
  await predicted([documentOf("long", ...Array(50).fill(1000))], calls, seen);
  expect(calls.length).toBeGreaterThan(5);
  expect(Math.max(...calls)).toBeLessThanOrEqual(8000);
  expect(seen.at(-1)).toBe(50_000);
});

it("passes nothing on from nothing", async () => {
  expect(await predicted([])).toEqual([]);
});
