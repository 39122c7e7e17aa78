import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeSentence, type Sentence, tokenCount } from "../text/index.ts";
import { windows } from "./windows.ts";

function sentenceOf(length: number, annotation: Parameters<typeof makeSentence>[2] = {}): Sentence {
  return makeSentence(
    "x ".repeat(length),
    Int32Array.from({ length: 2 * length }, (_, i) => i),
    annotation,
  );
}

describe("windows over a long sentence", () => {
  it("leave a short sentence as it is", () => {
    const sentence = sentenceOf(10);
    expect(windows(sentence, { size: 10, overlap: 4 })).toEqual([{ sentence, offset: 0, ownStart: 0, ownEnd: 10 }]);
  });

  it("own every start once, and hold every span up to half the overlap that starts there", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 300 }),
        fc.constantFrom({ size: 20, overlap: 8 }, { size: 33, overlap: 32 }, { size: 16, overlap: 2 }),
        (length, options) => {
          const owned = new Array<number>(length).fill(0);
          for (const { sentence, offset, ownStart, ownEnd } of windows(sentenceOf(length), options)) {
            expect(tokenCount(sentence)).toBeLessThanOrEqual(options.size);
            for (let start = ownStart; start < ownEnd; start++) {
              owned[offset + start]!++;
              const end = Math.min(length - offset, start + options.overlap / 2);
              expect(end).toBeLessThanOrEqual(tokenCount(sentence));
            }
          }
          expect(owned.every((count) => count === 1)).toBe(true);
        },
      ),
    );
  });

  it("carry the annotation of their part", () => {
    const sentence = sentenceOf(12, { entities: [{ start: 7, end: 9, type: "A" }], complete: [{ start: 0, end: 12 }] });
    const last = windows(sentence, { size: 8, overlap: 4 }).at(-1)!;
    expect(last.offset).toBe(4);
    expect(last.sentence.entities).toEqual([{ start: 3, end: 5, type: "A" }]);
    expect(last.sentence.complete).toEqual([{ start: 0, end: 8 }]);
  });
});
