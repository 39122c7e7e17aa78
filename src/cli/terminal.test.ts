import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reflowed } from "./help.ts";
import { list, table } from "./table.ts";
import { coloured, columnsOf, hasColours, padded, shortened, widthOf, wrapped } from "./terminal.ts";

const terminal = { isTTY: true, columns: 72 };
const pipe = {};

describe("the width of lines", () => {
  it("is that of the terminal, else what COLUMNS says, else without a limit", () => {
    expect(columnsOf(terminal, { COLUMNS: "60" })).toBe(72);
    expect(columnsOf(pipe, { COLUMNS: "60" })).toBe(60);
    expect(columnsOf(pipe, {})).toBe(Number.POSITIVE_INFINITY);
    for (const COLUMNS of ["", "wide", "-4", "0", "1e400"]) {
      expect(columnsOf(pipe, { COLUMNS })).toBe(Number.POSITIVE_INFINITY);
    }
  });

  it("is never so small that nothing could be set in it", () => {
    expect(columnsOf({ isTTY: true, columns: 3 }, {})).toBe(40);
  });
});

describe("colours", () => {
  it("are for terminals, unless NO_COLOR says no or FORCE_COLOR yes", () => {
    expect(hasColours(terminal, {})).toBe(true);
    expect(hasColours(pipe, {})).toBe(false);
    expect(hasColours(terminal, { NO_COLOR: "1" })).toBe(false);
    expect(hasColours(terminal, { NO_COLOR: "" })).toBe(true);
    expect(hasColours(terminal, { TERM: "dumb" })).toBe(false);
    expect(hasColours(pipe, { FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(true);
    expect(hasColours(terminal, { FORCE_COLOR: "0" })).toBe(false);
  });

  it("do not count as width", () => {
    expect(widthOf("\u001b[31mred\u001b[39m")).toBe(3);
    expect(coloured("red", "red", pipe)).toBe("red");
  });
});

it("measures what a text takes on a terminal", () => {
  expect(["abc", "北京", "e\u0301", "サッカー", "👍", "서울", ""].map(widthOf)).toEqual([3, 4, 1, 8, 2, 4, 0]);
  expect(padded("北", 4, "left")).toBe("  北");
});

it("cuts a text with … and never in the middle of a character", () => {
  expect(shortened("abcdef", 6)).toBe("abcdef");
  expect(shortened("abcdef", 4)).toBe("abc…");
  expect(shortened("北京大学", 6)).toBe("北京…");
});

describe("prose", () => {
  it("breaks between words and keeps its own lines", () => {
    expect(wrapped("one two three four", { width: 9 })).toBe("one two\nthree\nfour");
    expect(wrapped("one two\nthree", { width: 80 })).toBe("one two\nthree");
    expect(wrapped("  one two three", { width: 9, indent: "  " })).toBe("  one two\n    three");
    expect(wrapped("extraordinary words", { width: 5 })).toBe("extraordinary\nwords");
  });

  it("loses no word, and no line is longer than the width unless one word is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 12 })),
        fc.integer({ min: 40, max: 90 }),
        (words, width) => {
          const text = words.map((word) => word.replaceAll(/\s/g, "x")).join(" ");
          const lines = wrapped(text, { width }).split("\n");
          expect(lines.join(" ")).toBe(text);
          for (const line of lines) expect(widthOf(line) <= width || !line.trim().includes(" ")).toBe(true);
        },
      ),
    );
  });
});

describe("a table", () => {
  const rows = [
    ["type", "entities", "per 100 tokens", "median width"],
    ["a rather long name of a type", "4,777", "4.04", "1"],
    ["B", "12", "0.10", "3"],
  ];

  it("lines up names to the left and numbers to the right", () => {
    expect(table(rows, { width: 80 }).split("\n")).toEqual([
      "type                          entities  per 100 tokens  median width",
      "a rather long name of a type     4,777            4.04             1",
      "B                                   12            0.10             3",
    ]);
  });

  it("breaks its head, then cuts names, then goes on below", () => {
    expect(table(rows, { width: 54 }).split("\n")).toEqual([
      "                                           per",
      "                                           100  median",
      "type                          entities  tokens   width",
      "a rather long name of a type     4,777    4.04       1",
      "B                                   12    0.10       3",
    ]);
    expect(table(rows, { width: 40 }).split("\n").at(-2)).toBe("a rather long…     4,777    4.04       1");
    expect(table(rows, { width: 26 }).split("\n\n")).toHaveLength(2);
  });

  it("fits every width from 40 on, and every number is in it", () => {
    const cell = fc.integer({ min: 0, max: 1e6 }).map(String);
    const body = fc.integer({ min: 1, max: 14 }).chain((count) => {
      const row = fc.tuple(fc.string({ maxLength: 60 }), ...Array.from({ length: count }, () => cell));
      return fc.array(row, { minLength: 1, maxLength: 4 });
    });
    fc.assert(
      fc.property(body, fc.integer({ min: 40, max: 120 }), (cells, width) => {
        const clean = cells.map(([name, ...numbers]) => [name.replaceAll(/\s|\p{C}/gu, "x"), ...numbers]);
        const head = clean[0]!.map((_, i) => `column ${i}`);
        const text = table([head, ...clean], { width });
        for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(width);
        for (const number of clean.flatMap((row) => row.slice(1))) expect(text).toContain(number);
      }),
    );
  });

  it("shows the beginning of very long names, and what would steer a terminal as escapes", () => {
    const long = table([["type"], ["N".repeat(100_000)], ["\u001b[31mred\nline"]], { width: 500 });
    expect(long.split("\n")).toEqual(["type", `${"N".repeat(119)}…`, "\\u001b[31mred\\nline"]);
    expect(list([["\u202eback", "LOC"]], { width: 40 })).toEqual(["  \\u202eback  LOC"]);
  });

  it("takes more rows than a call takes arguments", () => {
    const many = Array.from({ length: 200_000 }, () => ["a", "1"]);
    expect(table(many, { width: 80 })).toHaveLength(200_000 * 5 - 1);
    expect(list(many, { width: 80 })).toHaveLength(200_000);
  });

  it("of words is cut at its last column", () => {
    const places = [["Rome", "LOC", "a long place where it stands"]];
    expect(list(places, { width: 24 })).toEqual(["  Rome  LOC  a long pla…"]);
  });
});

describe("texts after a help", () => {
  const text = `
A paragraph in two lines of the source,
which is one.

Methods:
  ce         what it does with all that nobody labelled
Examples:
  $ lacuna train --train train.conll --dev dev.conll \\
      --out model`;

  it("fit, with names in a column and commands that a shell can read", () => {
    expect(reflowed(text, 44).split("\n")).toEqual([
      "",
      "A paragraph in two lines of the source,",
      "which is one.",
      "",
      "Methods:",
      "  ce         what it does with all that",
      "             nobody labelled",
      "Examples:",
      "  $ lacuna train --train train.conll \\",
      "      --dev dev.conll --out model",
    ]);
    expect(reflowed(text, 90).split("\n")[1]).toBe("A paragraph in two lines of the source, which is one.");
  });
});
