import { describe, expect, it } from "vitest";
import { formats } from "../formats/index.ts";
import { declaresCompleteness, formatLike } from "./reading.ts";

describe("the format of an output whose flag is missing", () => {
  const known = [
    { path: "out.txt", format: "conll" },
    { path: "in.JSON", format: "pure" },
  ];

  it("is that of the first file with the same ending, in any case", () => {
    expect(formatLike("hidden.txt", known)).toBe("conll");
    expect(formatLike("hidden.json", known)).toBe("pure");
  });

  it("is that of the first file on standard output", () => {
    expect(formatLike("-", known)).toBe("conll");
  });

  it("is left to the name of the output where no file has its ending or a known format", () => {
    expect(formatLike("hidden.jsonl", known)).toBeUndefined();
    expect(formatLike("hidden.txt", [{ path: "out.txt", format: undefined }])).toBeUndefined();
  });
});

it("takes only Lacuna's own format to declare what is complete", () => {
  expect(formats.filter(declaresCompleteness).map(({ name }) => name)).toEqual(["lacuna"]);
});
