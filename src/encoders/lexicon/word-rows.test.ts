import { describe, expect, it } from "vitest";
import type { WordMatch } from "../../inputs/index.ts";
import { wordBatch, wordsAt } from "./word-rows.ts";
import { makeWords, wordSettings } from "./words.ts";

const words = makeWords([], wordSettings.parse({ width: 2, perToken: 2 }), { seed: 1, list: ["ab"] });
const match = (start: number, end: number, row: number): WordMatch => ({ start, end, row });

describe("the words of a row", () => {
  it("stand at the positions of the tokens they contain, the longest first and not more than allowed", () => {
    const matches = [match(0, 2, 5), match(0, 3, 6), match(1, 3, 7), match(1, 2, 8)];
    const { lookups, feeds } = wordBatch(words, [{ matches, tokens: [0, 1, 2, 3] }], 5);
    // Token 0: 6, 5; token 1: 6, 5 before 7, which starts later, and 8; token 2: 6, 7; token 3 and padding: none.
    expect([...lookups[0]!.rows]).toEqual([6, 5, 7]);
    expect(feeds[wordsAt]!.shape).toEqual([1, 5, 3]);
    expect([...feeds[wordsAt]!.data]).toEqual([1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]);
  });

  it("follow tokens that are split over positions, and leave out those of other tokens", () => {
    const matches = [match(0, 1, 5), match(2, 4, 6)];
    const rows = [
      { matches, tokens: [-1, 2, 2, 3, -1] },
      { matches: [], tokens: [-1, 0, -1] },
    ];
    const { lookups, feeds } = wordBatch(words, rows, 5);
    expect([...lookups[0]!.rows]).toEqual([6, 0]);
    expect([...feeds[wordsAt]!.data]).toEqual([0, 1, 1, 1, 0, 0, 0, 0, 0, 0]);
  });

  it("are one word of padding where there is none", () => {
    const { lookups, feeds } = wordBatch(words, [{ matches: [], tokens: [] }], 1);
    expect([...lookups[0]!.rows]).toEqual([0]);
    expect(feeds[wordsAt]).toEqual({ data: Float32Array.of(0), shape: [1, 1, 1] });
    expect([...feeds.words!.data]).toEqual([0, 0]);
  });
});
