import { describe, expect, it } from "vitest";
import { makeSentence } from "../text/document.ts";
import { findTokens } from "../text/tokens.ts";
import { smallWords, suspicion } from "./suspicion.ts";

function counted(...texts: string[]) {
  const words = smallWords();
  for (const text of texts) words.add(makeSentence(text, findTokens(text)));
  return words;
}

const text = `${"at the river ".repeat(700)}At dawn Émile was étonné US us us 中 中`;
const words = counted(text);
const exact = { foldsCase: false };
const folded = { foldsCase: true };

it("counts words in small letters, in every script that has them", () => {
  expect(["at", "the", "dawn", "étonné", "us", "Émile", "At"].map(words.of)).toEqual([700, 700, 1, 1, 2, 0, 0]);
  expect(words.tokens).toBe(2100 + 10);
});

describe("a surface is suspicious", () => {
  it.each([
    [
      "a capital at the beginning of sentences",
      "At",
      1,
      exact,
      'a common word? "at" stands 700 times in small letters',
    ],
    ["a frequent word where case is folded", "AT", 11, folded, "a common word? one of every 3 in the text"],
    ["a frequent word in small letters", "river", 10, exact, "a common word? one of every 3 in the text"],
    ["two letters", "Xy", 1, exact, "only 2 characters"],
    ["one character of Chinese", "国", 1, exact, "only 1 character"],
    ["a number", "1,000", 1, exact, "no letter in it"],
  ])("%s", (_, surface, labels, options, reason) => {
    expect(suspicion(surface, labels, words, options)).toBe(reason);
  });

  it.each([
    ["a name", "Émile", 1, exact],
    ["capitals that are a word in small letters, where case counts", "USA", 1, exact],
    ["a title word with more labels than small ones", "Dawn", 5, exact],
    ["two characters of Chinese", "北京", 3, exact],
    ["several words", "the river", 10, exact],
  ])("but not %s", (_, surface, labels, options) => {
    expect(suspicion(surface, labels, words, options)).toBeUndefined();
  });

  it("nor the frequent word of a short text", () => {
    expect(suspicion("aspirin", 9, counted("aspirin ".repeat(9)), exact)).toBeUndefined();
  });
});
