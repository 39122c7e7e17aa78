import { expect, it } from "vitest";
import { surface, tokenise } from "../text/index.ts";
import { taggedEntities } from "./tagged-entity.ts";
import { nextParts } from "./tagging.ts";
import { type ToyCalls, toyModel } from "./toy-tagging.suite.ts";

/** One sentence without an end: words, and entities at some places. */
function longText(words: number): string {
  return Array.from({ length: words }, (_, i) => (i % 97 === 0 ? `A${i}` : i % 89 === 0 ? `B${i}` : "w")).join(" ");
}

it("finds in slices what it finds at once, each entity once, also where pieces of a sentence overlap", async () => {
  const text = longText(3000);
  const { sentences } = tokenise(text);
  expect(sentences.length).toBe(1);
  const model = toyModel();
  const [whole, sliced] = [model.begin(sentences), model.begin(sentences)];
  await model.advance([whole], { tokens: Number.POSITIVE_INFINITY });
  let turns = 0;
  for (; !sliced.isFinished; turns++) await model.advance([sliced], { tokens: 300 });
  expect(turns).toBeGreaterThan(9);
  expect(sliced.result()).toEqual(whole.result());
  const found = sliced.result().flatMap((sentence) => sentence.entities.map((entity) => surface(sentence, entity)));
  expect(found).toEqual(text.match(/[AB]\d+/g));
});

it("counts the tokens that are decided, each once, and has no result before all are", async () => {
  const model = toyModel();
  const tagging = model.begin(tokenise(longText(1000)).sentences);
  const seen = [];
  expect(() => tagging.result()).toThrow("tagging: 1000 tokens are not decided yet");
  while (!tagging.isFinished) {
    await model.advance([tagging], { tokens: 256 });
    seen.push(tagging.done);
  }
  // Pieces of 256 tokens share 96, and each decides to the middle of what it shares.
  expect(seen).toEqual([208, 368, 528, 688, 848, 1000]);
});

it("nothing is finished from the start", () => {
  const tagging = toyModel().begin(tokenise("  ").sentences);
  expect([tagging.isFinished, tagging.tokens, tagging.result()]).toEqual([true, 0, []]);
});

it("takes so many tokens of each text in its turn, and goes round as long as there is room", () => {
  const model = toyModel();
  const texts = ["They came. ".repeat(200), "Short one.", "We left. ".repeat(200)];
  const taggings = texts.map((text) => model.begin(tokenise(text).sentences));
  const parts = nextParts(taggings, 100, 30);
  const tokens = taggings.map((tagging) =>
    parts
      .filter((part) => part.tagging === tagging)
      .reduce((sum, { piece }) => sum + piece.window.sentence.offsets.length / 2, 0),
  );
  // Sentences have 3 tokens: 30 + 3 + 30, then 30 + 0 + 6, and one sentence more because there is still room for a token.
  expect(tokens).toEqual([63, 3, 36]);
});

it("each tagging is decoded by its own settings", async () => {
  const calls: ToyCalls = { tokens: [], pieces: [] };
  const model = toyModel(calls);
  const { sentences } = tokenise("A1 met B2.");
  const taggings = [model.begin(sentences), model.begin(sentences, { minScore: 0.9 })];
  await model.advance(taggings, { tokens: 100 });
  expect(calls.tokens).toEqual([8]);
  expect(taggings.map((tagging) => taggedEntities(tagging.result()).map(({ text }) => text))).toEqual([
    ["A1", "B2"],
    [],
  ]);
});
