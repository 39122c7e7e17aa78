import { describe, expect, it } from "vitest";
import { makeSentence } from "../../text/index.ts";
import { describeRemoved, removedCount, smallestValues } from "./removed-tokens.ts";

function valuesOf(values: readonly number[], perSentence = 3) {
  return {
    sentences: Int32Array.from(values, (_, i) => Math.floor(i / perSentence)),
    tokens: Int32Array.from(values, (_, i) => i % perSentence),
    values: Float32Array.from(values),
  };
}

describe("the tokens with the smallest values", () => {
  it("are those of all sentences together, ⌈λm⌉ of them, in the order of their places", () => {
    const removed = smallestValues(valuesOf([3, -1, 2, 5, 5, 5, -4, 0, 9, 9]), 0.25);
    expect(removed).toEqual([
      { sentence: 0, token: 1, value: -1 },
      { sentence: 2, token: 0, value: -4 },
      { sentence: 2, token: 1, value: 0 },
    ]);
  });

  it("of equal values are the earlier ones", () => {
    const places = smallestValues(valuesOf([1, 1, 1, 1, 1, 1]), 0.5).map(({ sentence, token }) => [sentence, token]);
    expect(places).toEqual([
      [0, 0],
      [0, 1],
      [0, 2],
    ]);
  });

  it("are none where no token is O, or nothing is to be removed", () => {
    expect(smallestValues(valuesOf([]), 0.5)).toEqual([]);
    expect(smallestValues(valuesOf([1, 2]), 0)).toEqual([]);
  });

  it.each([
    [0.1, 30, 3],
    [0.0125, 80, 1],
    [0.0125, 81, 2],
    [0.003125, 1, 1],
    [1, 7, 7],
  ])("%d of %d are %d", (share, m, count) => {
    expect(removedCount(share, m)).toBe(count);
  });
});

it("the list of removed tokens begins with the least O-like and shows eight tokens on either side", () => {
  const words = Array.from({ length: 20 }, (_, i) => `w${String(i).padStart(2, "0")}`);
  const sentence = makeSentence(words.join(" "), Int32Array.from(words.flatMap((_, i) => [4 * i, 4 * i + 3])));
  const removed = [
    { sentence: 0, token: 0, value: 0.5 },
    { sentence: 0, token: 10, value: -2 },
    { sentence: 0, token: 19, value: 1 },
  ];
  const records = describeRemoved(removed, [sentence])
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(records).toEqual([
    {
      sentence: 1,
      token: 11,
      text: "w10",
      value: -2,
      left: words.slice(2, 10).join(" "),
      right: words.slice(11, 19).join(" "),
    },
    { sentence: 1, token: 1, text: "w00", value: 0.5, left: "", right: words.slice(1, 9).join(" ") },
    { sentence: 1, token: 20, text: "w19", value: 1, left: words.slice(11, 19).join(" "), right: "" },
  ]);
  expect(describeRemoved([], [])).toBe("");
});
