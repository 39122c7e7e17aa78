import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findTokens } from "./tokens.ts";

function cut(text: string): string[] {
  const bounds = findTokens(text);
  return Array.from({ length: bounds.length >> 1 }, (_, i) => text.slice(bounds[2 * i], bounds[2 * i + 1]));
}

describe("tokens", () => {
  it.each([
    ["words and signs", "Anna, from Köln (DE)!", ["Anna", ",", "from", "Köln", "(", "DE", ")", "!"]],
    ["hyphens apart", "22-oxacalcitriol", ["22", "-", "oxacalcitriol"]],
    ["numbers whole", "3.5 or 1,000.25, not 3. or .5", ["3.5", "or", "1,000.25", ",", "not", "3", ".", "or", ".", "5"]],
    [
      "initials whole",
      "the U.S. and e.g. U.N but J. Smith",
      ["the", "U.S.", "and", "e.g.", "U.N", "but", "J", ".", "Smith"],
    ],
    [
      "English endings apart",
      "Japan's they're O'Brien’s I'm",
      ["Japan", "'s", "they", "'re", "O'Brien", "’s", "I", "'m"],
    ],
    ["other apostrophes inside", "O'Brien don't rock'n'roll", ["O'Brien", "don't", "rock'n'roll"]],
    ["French elisions apart", "l'Italie qu'Anna d'Artagnan", ["l'", "Italie", "qu'", "Anna", "d'", "Artagnan"]],
    ["quotes apart", "'Anna' ''s x'", ["'", "Anna", "'", "'", "'", "s", "x", "'"]],
    ["Chinese by characters", "我爱北京。", ["我", "爱", "北", "京", "。"]],
    ["Japanese by characters", "ラーメン々ヶ", ["ラ", "ー", "メ", "ン", "々", "ヶ"]],
    ["Korean by syllables", "서울 사람", ["서", "울", "사", "람"]],
    ["Thai by characters with their marks", "ก็ไทยน้ำ", ["ก็", "ไ", "ท", "ย", "น้ำ"]],
    ["mixed writing", "我用iPhone15在Tokyo东京", ["我", "用", "iPhone15", "在", "Tokyo", "东", "京"]],
    ["emoji whole", "👩‍🚀👍🏽🇫🇷🇩🇪1️⃣❤️", ["👩‍🚀", "👍🏽", "🇫🇷", "🇩🇪", "1️⃣", "❤️"]],
    ["marks with their letters", "e\u0301te\u0301 か\u3099 ﾊﾞ", ["e\u0301te\u0301", "か\u3099", "ﾊﾞ"]],
    [
      "decomposed Hangul by syllables",
      "\u1112\u1161\u11ab\u1100\u1173\u11af",
      ["\u1112\u1161\u11ab", "\u1100\u1173\u11af"],
    ],
    ["letters beyond the basic plane", "𝒳𝒴 𠮷", ["𝒳𝒴", "𠮷"]],
    ["no white space of any kind", " a\u00a0b\u3000c\u200bd\r\ne\u2028f\ufeff", ["a", "b", "c", "d", "e", "f"]],
    ["Arabic number signs with their numbers", ".\u0600١٢ ١", [".", "\u0600١٢", "١"]],
    ["nothing of nothing", "", []],
  ])("keep %s", (_, text, expected) => {
    expect(cut(text)).toEqual(expected);
  });

  const pieces = fc.constantFrom(
    ..."a Z é 3 . , ' ’ - _ 中 か ー 서 ก ็ ำ \u0301 \u200d 👩 🚀 🏽 🇫 🇷 ❤ \ufe0f \u20e3 \u1112 \u1161 \u11ab क ् ष ﾊ ﾞ 𝒳".split(
      " ",
    ),
    " ",
    "\r\n",
  );
  const texts = fc.string({ unit: pieces, maxLength: 20 });

  it("cover everything but white space, in order, without overlap", () => {
    fc.assert(
      fc.property(texts, (text) => {
        let reached = 0;
        const bounds = findTokens(text);
        for (let i = 0; i < bounds.length; i += 2) {
          expect(bounds[i + 1]).toBeGreaterThan(bounds[i]!);
          expect(text.slice(reached, bounds[i])).toMatch(/^[\p{White_Space}\u200b\ufeff]*$/u);
          reached = bounds[i + 1]!;
        }
        expect(text.slice(reached).trim()).toBe("");
      }),
    );
  });

  it("end where a character of Unicode's rules ends, too, but for marks on white space", () => {
    const characters = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(texts, (text) => {
        const boundaries = new Set([text.length]);
        for (const { index } of characters.segment(text)) boundaries.add(index);
        for (const offset of findTokens(text)) {
          if (!/\s$/u.test(text.slice(0, offset))) expect(boundaries).toContain(offset);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("take time in proportion to the text", () => {
    const time = (text: string): number => {
      const start = performance.now();
      findTokens(text);
      return performance.now() - start;
    };
    for (const unit of ["a", "'s", "a.", "\u0301", "👩\u200d", "'", "1,"]) {
      time(unit.repeat(1000));
      expect(time(unit.repeat(200_000))).toBeLessThan(2000); // a quadratic rule would take minutes
    }
  });
});
