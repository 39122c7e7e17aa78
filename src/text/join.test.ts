import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinTokens } from "./join.ts";

describe("joined tokens", () => {
  it.each([
    ["words by a space", ["Anna", "left", "."], "Anna left ."],
    ["Chinese without", ["北", "京", "。"], "北京。"],
    ["a space where only one side is Chinese", ["iPhone", "手", "机", "15"], "iPhone 手机 15"],
    ["kana and full-width forms without", ["カ", "ー", "！", "Ａ"], "カー！Ａ"],
    ["Korean words by a space", ["서울", "사람"], "서울 사람"],
    ["characters beyond the basic plane without", ["𠮷", "𠮷"], "𠮷𠮷"],
    ["by the characters that meet", ["A京", "都B"], "A京都B"],
  ])("%s", (_, tokens, text) => {
    expect(joinTokens([tokens]).text).toBe(text);
  });

  it("put sentences on lines, empty ones too", () => {
    expect(joinTokens([["a"], [], ["b", "c"]]).text).toBe("a\n\nb c");
    expect(joinTokens([])).toEqual({ text: "", offsets: [] });
  });

  it("are found again at their offsets", () => {
    const tokens = fc.string({ unit: fc.constantFrom("a", "中", "👩‍🚀", "。", "é"), minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.array(fc.array(tokens, { maxLength: 5 }), { maxLength: 3 }), (sentences) => {
        const { text, offsets } = joinTokens(sentences);
        const found = offsets.map((places) =>
          Array.from({ length: places.length >> 1 }, (_, i) => text.slice(places[2 * i], places[2 * i + 1])),
        );
        expect(found).toEqual(sentences);
      }),
    );
  });
});
