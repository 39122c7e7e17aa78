import { describe, expect, it } from "vitest";
import type { Document } from "../text/document.ts";
import { entities, sentence } from "./examples.suite.ts";
import { type PlacedPair, pairSentences } from "./pairs.ts";

function document(id: string | undefined, ...sentences: string[]): Document {
  const made = sentences.map((words) => sentence(words.split(" ").filter((word) => word !== "")));
  return { ...(id === undefined ? {} : { id }), text: "", sentences: made };
}

async function collect(gold: Document[], predicted: Document[]): Promise<PlacedPair[]> {
  const result: PlacedPair[] = [];
  for await (const pair of pairSentences(gold, predicted, { gold: "g.conll", predicted: "p.conll" })) result.push(pair);
  return result;
}

describe("pairing gold and prediction", () => {
  it("places each pair in the gold, across document boundaries that differ and empty sentences", async () => {
    const gold = [document("one", "a b", "", "c"), document(undefined, "d")];
    const pairs = await collect(gold, [document(undefined, "a b", "c", "d")]);
    expect(pairs.map(({ document, sentence, id }) => ({ document, sentence, id }))).toEqual([
      { document: 0, sentence: 0, id: "one" },
      { document: 0, sentence: 2, id: "one" },
      { document: 1, sentence: 0, id: undefined },
    ]);
  });

  it("keeps the side of each", async () => {
    const ours = sentence(["a"], { entities: entities("PER 0 1") });
    const theirs = sentence(["a"], { entities: entities("LOC 0 1") });
    const [pair] = await collect([{ text: "a", sentences: [ours] }], [{ text: "a", sentences: [theirs] }]);
    expect(pair!.gold).toBe(ours);
    expect(pair!.predicted).toBe(theirs);
  });

  it.each([
    [
      "a token",
      ["a b"],
      ["a x"],
      'p.conll: document 1, sentence 1: token 2 is "x", but "b" in g.conll (document 1, sentence 1)',
    ],
    [
      "a token less",
      ["a", "a b"],
      ["a", "a"],
      "p.conll: document 1, sentence 2: the number of tokens is 1, but 2 in g.conll (document 1, sentence 2)",
    ],
    [
      "a sentence less",
      ["a", "b"],
      ["a"],
      "p.conll: ends before document 1, sentence 2 of g.conll; both must hold the same sentences",
    ],
    [
      "a sentence more",
      ["a"],
      ["a", "b"],
      "g.conll: ends before document 1, sentence 2 of p.conll; both must hold the same sentences",
    ],
  ])("refuses %s, naming the place", async (_, gold, predicted, message) => {
    const paired = collect([document(undefined, ...gold)], [document(undefined, ...predicted)]);
    await expect(paired).rejects.toMatchObject({ name: "InputError", message });
  });

  it("names the document where it has a name", async () => {
    await expect(collect([document("x7", "a")], [document("y", "b")])).rejects.toThrow(
      'document 1 ("y"), sentence 1: token 1',
    );
  });
});
