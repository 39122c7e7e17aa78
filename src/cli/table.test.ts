import { describe, expect, it } from "vitest";
import { table } from "./table.ts";

describe("a table", () => {
  it("lines up its columns, the first to the left, and ends no line in spaces", () => {
    expect(
      table([
        ["type", "n"],
        ["PER", "12"],
        ["", ""],
      ]),
    ).toBe("type   n\nPER   12\n");
  });

  it("shows the beginning of a name of any length, and nothing that steers a terminal", () => {
    const shown = table([
      ["type", "n"],
      ["x".repeat(1_000_000), "1"],
      ["a\u001b[2J", "2"],
    ]);
    const lines = shown.split("\n");
    expect(lines[1]).toBe(`${"x".repeat(119)}…  1`);
    expect(lines[2]).toMatch(/^a\\u001b\[2J +2$/);
  });
});
