import { describe, expect, it } from "vitest";
import type { SubwordTokeniser } from "../../inputs/index.ts";
import { byteLevelTokenizer, wordPieces, wordPieceTokenizer } from "./tiny-models.suite.ts";
import { subwordTokeniser } from "./tokeniser.ts";

const open = (json: unknown): SubwordTokeniser => subwordTokeniser(JSON.stringify(json), "tokenizer.json");
const uncased = open(wordPieceTokenizer({ lowercase: true }));
const spell = (word: string): (string | undefined)[] => uncased.pieces(word).map((id) => wordPieces[id]);

describe("word pieces", () => {
  it("split a word as far as the vocabulary asks for", () => {
    expect(spell("cats")).toEqual(["cat", "##s"]);
    expect(spell("Mattings")).toEqual(["mat", "##ting", "##s"]);
    expect(spell("(new.york)")).toEqual(["(", "new", ".", "york", ")"]);
  });

  it("are not cut and not filled up, though the file asks for it", () => {
    expect(spell("ababababab").length).toBe(10);
    expect(JSON.parse(uncased.json)).toMatchObject({ truncation: null, padding: null });
  });

  it("are the unknown token for a word that is not in the vocabulary, or of which nothing is left", () => {
    expect(spell("dog")).toEqual(["[UNK]"]);
    expect(spell("\u200b")).toEqual(["[UNK]"]);
    expect(spell("")).toEqual(["[UNK]"]);
  });

  it("treat a word that is spelt like a special token as a word", () => {
    expect(spell("[SEP]")).toEqual(["[", "sep", "]"]);
  });

  it("keep tokens that were added and are not special", () => {
    const json = wordPieceTokenizer({ lowercase: true });
    const added = { id: 25, content: "C++", special: false, normalized: false };
    const tokeniser = open({ ...json, added_tokens: [...(json.added_tokens as object[]), added] });
    expect(tokeniser.pieces("C++")).toEqual([25]);
    expect(tokeniser.size).toBe(26);
  });

  it("give the same answer when asked again", () => {
    expect(uncased.pieces("yorkers")).toEqual(uncased.pieces("yorkers"));
    expect(spell("yorkers")).toEqual(["york", "##er", "##s"]);
  });
});

describe("what a tokeniser says of itself", () => {
  it("names the ids around a text", () => {
    expect(uncased).toMatchObject({ before: [2], after: [3], size: 25 });
    expect(open(byteLevelTokenizer())).toMatchObject({ before: [0], after: [2], size: 15 });
  });

  it("tells whether capitals make a difference", () => {
    expect(uncased.uncased).toBe(true);
    expect(open(wordPieceTokenizer({ lowercase: false })).uncased).toBe(false);
    expect(open(byteLevelTokenizer()).uncased).toBe(false);
    const sequence = { type: "Sequence", normalizers: [{ type: "NFD" }, { type: "Lowercase" }] };
    expect(open({ ...wordPieceTokenizer({ lowercase: false }), normalizer: sequence }).uncased).toBe(true);
  });
});

describe("byte-level pairs", () => {
  it("read every word as if a space stood before it", () => {
    // Ġcat is one piece; without the space it would be c and at.
    expect(open(byteLevelTokenizer()).pieces("cat")).toEqual([13]);
    expect(open(byteLevelTokenizer()).pieces("ab")).toEqual([14, 7]);
  });

  it("do so inside a sequence of pre-tokenisers too", () => {
    const json = byteLevelTokenizer();
    const sequence = { type: "Sequence", pretokenizers: [json.pre_tokenizer] };
    expect(open({ ...json, pre_tokenizer: sequence }).pieces("cat")).toEqual([13]);
  });

  it("take the unknown token by its usual name when the model gives none", () => {
    expect(open(byteLevelTokenizer()).pieces("")).toEqual([3]);
  });
});

describe("a file that is no tokenizer", () => {
  it.each([
    ["[1]", "tokenizer.json: must hold a JSON object, got [1]"],
    ["{", "tokenizer.json: is not JSON: "],
    ["{}", "tokenizer.json: is not a tokenizer that can be used: "],
  ])("is refused: %s", (text, message) => {
    expect(() => subwordTokeniser(text, "tokenizer.json")).toThrow(message);
  });

  it("is refused without special tokens around a text", () => {
    const json = { ...wordPieceTokenizer({ lowercase: true }), post_processor: null };
    expect(() => open(json)).toThrow(
      "tokenizer.json: the post-processor must put a special token before and after a text",
    );
  });

  it("is refused without a token for unknown words", () => {
    const json = byteLevelTokenizer();
    expect(() => open({ ...json, added_tokens: [] })).toThrow("tokenizer.json: names no token for unknown words");
  });
});
