import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InputError } from "../util/errors.ts";
import { type OffsetUnit, offsetMap } from "./offsets.ts";

/** Lengths by other means than the map's: iteration by code points and the encoder of the platform. */
const lengths: { readonly [Unit in OffsetUnit]: (text: string) => number } = {
  "utf-16": (text) => text.length,
  "code-point": (text) => [...text].length,
  byte: (text) => new TextEncoder().encode(text).length,
};
const units = Object.keys(lengths) as OffsetUnit[];
const texts = fc.string({
  unit: fc.constantFrom("a", "é", "e\u0301", "中", "👩‍🚀", "𝒳", "\r\n", "\u0000", "ÿ", "\uffff"),
});

describe.each(units)("offsets in %s", (unit) => {
  it("agree with the length of the text before them, both ways", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const map = offsetMap(text, unit);
        expect(map.length).toBe(lengths[unit](text));
        let before = "";
        for (const character of [...text, ""]) {
          const offset = lengths[unit](before);
          expect(map.fromUtf16(before.length)).toBe(offset);
          expect(map.toUtf16(offset)).toBe(before.length);
          before += character;
        }
      }),
    );
  });

  it("are refused inside a character", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const map = offsetMap(text, unit);
        const boundaries = new Set<number>();
        let before = "";
        for (const character of [...text, ""]) {
          boundaries.add(lengths[unit](before));
          before += character;
        }
        for (let offset = 0; offset <= map.length; offset++) {
          if (!boundaries.has(offset)) expect(() => map.toUtf16(offset)).toThrow("inside a character");
        }
      }),
    );
  });

  it("are refused outside the text", () => {
    const map = offsetMap("a👍", unit);
    for (const offset of [-1, map.length + 1, 0.5, Number.NaN]) expect(() => map.toUtf16(offset)).toThrow(InputError);
    for (const offset of [-1, 4, 0.5]) expect(() => map.fromUtf16(offset)).toThrow("outside the text");
  });
});

it("names the offset, the unit and the rule", () => {
  expect(() => offsetMap("a👍", "code-point").toUtf16(3)).toThrow(
    "the code-point offset 3 is outside the text (0 to 2)",
  );
  expect(() => offsetMap("👍", "utf-16").fromUtf16(1)).toThrow("the utf-16 offset 1 is inside a character");
  expect(() => offsetMap("é", "byte").toUtf16(1)).toThrow("the byte offset 1 is inside a character");
});

it("counts a lone surrogate as the three bytes that some encoders write for it", () => {
  expect(offsetMap("\ud800a", "byte").fromUtf16(1)).toBe(3);
  expect(offsetMap("\ud800a", "code-point").fromUtf16(1)).toBe(1);
});
