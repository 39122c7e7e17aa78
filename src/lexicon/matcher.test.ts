import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeSentence, surface } from "../text/document.ts";
import { findTokens } from "../text/tokens.ts";
import { type BuildOptions, buildMatcher } from "./build.ts";
import type { Folding } from "./folding.ts";
import type { Entry, Matcher } from "./matcher.ts";
import { anyTrial, naiveFind, naiveFold } from "./naive.suite.ts";

/** The texts that a matcher finds, as they stand in the text. */
function found(matcher: Matcher, text: string, offsets = findTokens(text)): string[] {
  const sentence = makeSentence(text, offsets);
  return matcher.find(sentence).map((match) => surface(sentence, match));
}

function entries(...surfaces: string[]): Entry[] {
  return surfaces.map((each) => ({ surface: each, type: "X", dictionary: "d" }));
}

const folding = (options: Partial<Folding>): BuildOptions => ({ folding: options });

describe("the matcher", () => {
  it("finds exactly what a naive matcher finds, whatever the folding, the dictionary and the tokens", () => {
    let matches = 0;
    fc.assert(
      fc.property(anyTrial, ({ entries, sentence, folding }) => {
        const usable = entries.filter((entry) => naiveFold(entry.surface, folding) !== "");
        fc.pre(usable.length > 0);
        const matcher = buildMatcher(entries, { folding });
        const actual = matcher
          .find(sentence)
          .map(({ start, end, key }) => ({ start, end, entries: matcher.entries(key) }));
        expect(actual).toEqual(naiveFind(sentence, usable, folding));
        matches += actual.length;
      }),
      { numRuns: 1500 },
    );
    expect(matches).toBeGreaterThan(1000);
  });

  it("finds overlapping matches, by start and then by end, and nothing inside a word", () => {
    const matcher = buildMatcher(entries("New York", "York", "York Times", "New York Times", "ork", "Tim"));
    expect(found(matcher, "The New York Times of Yorkshire")).toEqual([
      "New York",
      "New York Times",
      "York",
      "York Times",
    ]);
  });

  it("matches Chinese character by character, without spaces, and Latin words beside it as words", () => {
    const matcher = buildMatcher(entries("不锈钢", "钢", "304不锈钢", "北京大学", "大学生", "ABC"));
    expect(found(matcher, "304不锈钢杯")).toEqual(["304不锈钢", "不锈钢", "钢"]);
    expect(found(matcher, "北京大学生ABC，ABCD")).toEqual(["北京大学", "大学生", "ABC"]);
  });

  it("starts and ends where the tokens of the corpus do, also when they cut words", () => {
    const matcher = buildMatcher(entries("kg", "25kg"), folding({ whitespace: "ignore" }));
    const text = "2 5 k g 米";
    expect(found(matcher, text, Int32Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9))).toEqual(["2 5 k g", "k g"]);
    expect(found(matcher, "25kg", Int32Array.of(0, 4))).toEqual(["25kg"]);
  });

  it("never parts a character from its marks, even where a corpus does", () => {
    const matcher = buildMatcher(entries("e", "cafe", "café"));
    expect(found(matcher, "cafe\u0301", Int32Array.of(0, 4, 4, 5))).toEqual(["cafe\u0301"]);
    expect(found(matcher, "e\u0301", Int32Array.of(0, 1, 1, 2))).toEqual([]);
  });

  it.each<[string, Partial<Folding>, string, string, boolean]>([
    ["case only when asked", {}, "IBM", "ibm", false],
    ["case", { case: true }, "IBM", "ibm", true],
    ["case of ß, ligatures and final sigma", { case: true }, "STRASSE ΟΔΟΣ", "Straße οδος", true],
    ["width only when asked", {}, "ABC", "ＡＢＣ", false],
    ["full width", { width: true }, "ABC", "ＡＢＣ", true],
    ["half-width kana with its voice mark", { width: true }, "ガス", "ｶﾞｽ", true],
    ["canonical forms by default", {}, "caf\u00e9", "cafe\u0301", true],
    ["no normal form when asked so", { normalisation: "none" }, "caf\u00e9", "cafe\u0301", false],
    ["compatible forms only when asked", {}, "fi", "ﬁ", false],
    ["compatible forms", { normalisation: "nfkc" }, "fi", "ﬁ", true],
    ["decomposed Hangul", {}, "한국", "\u1112\u1161\u11ab\u1100\u116e\u11a8", true],
    ["a line break between words", {}, "New York", "New\n  York", true],
    ["no space between words", {}, "New York", "NewYork", false],
    ["spaces beside punctuation", {}, "Parkinson's disease", "Parkinson ' s disease", true],
    ["exact white space", { whitespace: "exact" }, "New York", "New  York", false],
    ["single spaces beside punctuation", { whitespace: "single" }, "U.S.", "U . S .", false],
    ["ignored white space", { whitespace: "ignore" }, "note5plus", "note 5 plus", true],
    ["hyphens only when asked", {}, "beta-blocker", "beta–blocker", false],
    ["one hyphen for another", { hyphen: "unify" }, "beta-blocker", "beta–blocker", true],
    ["a hyphen for a space", { hyphen: "space" }, "beta-blocker", "beta blocker", true],
  ])("folds %s", (_, options, surface, text, matches) => {
    expect(found(buildMatcher(entries(surface), folding(options)), text)).toEqual(matches ? [text] : []);
  });

  it("keeps every entry of a surface, first declared first, but not a repeated one", () => {
    const lines: Entry[] = [
      { surface: "Paris", type: "LOC", dictionary: "a" },
      { surface: "PARIS", type: "LOC", dictionary: "a" },
      { surface: "paris", type: "PER", dictionary: "b" },
      { surface: "Paris", dictionary: "c" },
    ];
    const matcher = buildMatcher(lines, folding({ case: true }));
    const [match] = matcher.find({ text: "Paris", offsets: Int32Array.of(0, 5) });
    const { key } = match!;
    expect(matcher.entries(key)).toEqual([lines[0], lines[2], lines[3]]);
    expect(matcher.types(key)).toEqual(["LOC", "PER"]);
    expect([matcher.rank(key), matcher.isRefused(key)]).toEqual([0, false]);
    expect(matcher.automaton.header).toMatchObject({ repeated: 1, vanished: 0, types: ["LOC", "PER"] });
  });

  it("refuses surfaces by stop list, length and number of words, as folded", () => {
    const options = { ...folding({ case: true }), stop: ["MAY", "none"], minimumLength: 2, maximumWords: 2 };
    const matcher = buildMatcher(entries("May", "X", "a b c", "a b", "中国人", "中国"), options);
    const refused = (text: string): boolean =>
      matcher.isRefused(matcher.find({ text, offsets: Int32Array.of(0, text.length) })[0]!.key);
    expect(["may", "x", "a b c", "中国人"].map(refused)).toEqual([true, true, true, true]);
    expect(["a b", "中国"].map(refused)).toEqual([false, false]);
  });

  it("finds a surface among many that share its prefixes, and after the tables have grown", () => {
    const many = Array.from({ length: 5000 }, (_, i) => `word ${i}`);
    const matcher = buildMatcher(entries(...many));
    for (const text of many) expect(found(matcher, text)).toEqual([text]);
    expect(found(matcher, "word 5000")).toEqual([]);
  });

  it("refuses an empty dictionary and senseless limits", () => {
    expect(() => buildMatcher([])).toThrow("dictionary: at least one entry is needed, got none");
    expect(() => buildMatcher(entries(" - "), folding({ hyphen: "space" }))).toThrow("at least one entry");
    expect(() => buildMatcher(entries("a"), { minimumLength: 0 })).toThrow(
      "minimum length must be a whole number from 1",
    );
    expect(() => buildMatcher(entries("a"), { maximumWords: 1.5 })).toThrow(
      "maximum words must be a whole number from 1",
    );
    expect(() => buildMatcher(entries("a"), folding({ hyphen: "none" as "exact" }))).toThrow(
      'folding: unknown hyphen "none" (known: exact, unify, space)',
    );
    expect(() => buildMatcher(entries("a"), folding({ caze: true } as Partial<Folding>))).toThrow(
      'folding: unknown option "caze" (known: case, width, normalisation, whitespace, hyphen)',
    );
    expect(() => buildMatcher(entries("a"), folding({ case: "yes" as unknown as boolean }))).toThrow(
      'folding: case must be true or false, got "yes"',
    );
  });
});
