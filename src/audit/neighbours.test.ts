import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../test/support/words.ts";
import type { Items } from "../heads/index.ts";
import type { ItemVectors } from "../inference/index.ts";
import { type Sentence, tokenCount, tokenTexts } from "../text/index.ts";
import { nearestLabelled } from "./neighbours.ts";

/** Where each word lies in the eyes of the model. */
const words: Readonly<Record<string, readonly [number, number]>> = {
  Porto: [1, 0],
  Lisbon: [0.9, 0.1],
  Ana: [0, 1],
  Rui: [0.2, 0.8],
  Braga: [0.95, 0.2],
  River: [0.5, 0.5],
};

function sentence(text: string, ...labels: [start: number, end: number, type: string][]): Sentence {
  return sentenceOf(text, { entities: labels.map(([start, end, type]) => ({ start, end, type })) });
}

function tokensOf(size: number): Items {
  return {
    size,
    starts: () => Int32Array.from({ length: size }, (_, i) => i),
    ends: () => Int32Array.from({ length: size }, (_, i) => i + 1),
  };
}

async function* vectors(_: number, sentences: readonly Sentence[]): AsyncGenerator<ItemVectors> {
  for (const each of sentences)
    yield {
      items: tokensOf(tokenCount(each)),
      width: 2,
      data: Float32Array.from(tokenTexts(each).flatMap((word) => words[word] ?? [0, 0])),
    };
}

const corpus = [
  sentence("Braga grows", [0, 1, "LOC"]),
  sentence("Porto sleeps", [0, 1, "LOC"]),
  sentence("Ana sings", [0, 1, "PER"]),
  sentence("Rui and Ana", [0, 1, "PER"], [2, 3, "PER"]),
  sentence("Lisbon waits", [0, 1, "LOC"]),
  sentence("Porto River", [0, 2, "LOC"]),
];

describe("the nearest labelled places", () => {
  it("are those of other folds with the largest cosine, each text once", async () => {
    const folds = Int32Array.from([0, 1, 1, 1, 1, 1]);
    const [found] = await nearestLabelled([{ sentence: 0, start: 0, end: 1 }], corpus, { folds, vectors });
    // By hand, of first and last token joined: Lisbon 0.995, Porto 0.979, Porto River 0.940, Rui 0.429, Ana 0.206.
    expect(found).toEqual([
      { text: "Lisbon", type: "LOC" },
      { text: "Porto", type: "LOC" },
      { text: "Porto River", type: "LOC" },
    ]);
  });

  it("do not come from the fold of the place, nor have its own text", async () => {
    const folds = Int32Array.from([1, 1, 0, 0, 0, 0]);
    const [ana, porto] = await nearestLabelled(
      [
        { sentence: 2, start: 0, end: 1 },
        { sentence: 1, start: 0, end: 1 },
      ],
      corpus,
      { folds, vectors },
    );
    expect(ana!.map(({ text }) => text)).toEqual(["Braga", "Porto"]);
    expect(porto!.map(({ text }) => text)).toEqual(["Lisbon", "Porto River", "Rui"]);
  });

  it("are missing where a model has no hidden states", async () => {
    const none = async function* (): AsyncGenerator<ItemVectors> {};
    const places = [{ sentence: 0, start: 0, end: 1 }];
    const folds = Int32Array.from([0, 1, 1, 1, 1, 1]);
    expect(await nearestLabelled(places, corpus, { folds, vectors: none })).toEqual([[]]);
  });
});
