import { describe, expect, it } from "vitest";
import { InputError } from "./errors.ts";
import { deepestNesting, parseJson } from "./json.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

describe("the JSON of a file", () => {
  it("is read to a depth that nobody needs, and refused beyond", () => {
    expect(parseJson(nested(deepestNesting), "a study", {})).toBeInstanceOf(Array);
    for (const depth of [deepestNesting + 2, 6000, 1_000_000]) {
      expect(() => parseJson(nested(depth), "a study", { file: "s.json" })).toThrow(InputError);
      expect(() => parseJson(nested(depth), "a study", { file: "s.json" })).toThrow(
        "s.json: not a study: it is nested more than 200 deep",
      );
    }
  });

  it("says what is wrong with what is none", () => {
    expect(() => parseJson("{", "a result", { file: "r", line: 3 })).toThrow(/^r:3: not a result: .*JSON/);
  });
});
