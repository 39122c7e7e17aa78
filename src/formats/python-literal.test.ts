import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePythonLiteral, pythonString } from "./python-literal.ts";

describe("Python literals", () => {
  it.each<[string, unknown]>([
    ["['a', \"b\", 'c']", ["a", "b", "c"]],
    [
      "[(0, 1, 'X'), (2, 2, 'Y'),]",
      [
        [0, 1, "X"],
        [2, 2, "Y"],
      ],
    ],
    ["()", []],
    ["('a',)", ["a"]],
    ["('a')", "a"],
    [" [ 1 , -2.5e1 , True , None ] ", [1, -25, true, null]],
    ["u'x'", "x"],
    ["'it\\'s \\x41\\u00e9\\U0001f44d\\101\\n\\q'", "it's Aé👍A\n\\q"],
  ])("%s", (source, expected) => {
    expect(parsePythonLiteral(source)).toEqual(expected);
  });

  it.each([
    ["[1, 2", '"," or "]"'],
    ["[1 2]", '"," or "]"'],
    ["'abc", "the closing '"],
    ["[,]", "a string, a number"],
    ["'a' 'b'", "the end"],
    ["open('x')", "a string, a number"],
    ["'\\N{BULLET}'", "an escape of Python"],
    ["'\\U00110000'", "a code point up to 10FFFF"],
    ["{'a': 1}", "a string, a number"],
    ["", "a string, a number"],
  ])("%s is refused", (source, expected) => {
    expect(() => parsePythonLiteral(source)).toThrow(expected);
  });

  it("are refused when nested deeper than any data", () => {
    expect(() => parsePythonLiteral("[".repeat(100_000))).toThrow("nested more than 64 deep");
  });

  it("give back every string that was written", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.string({ unit: fc.constantFrom("'", '"', "\\", "\n", "\ud800", "é") }),
        ),
        (text) => {
          const literal = pythonString(text);
          expect(literal).not.toMatch(/[\n\r]/);
          expect(parsePythonLiteral(literal)).toBe(text);
        },
      ),
    );
  });

  it("choose quotes as Python does", () => {
    expect([pythonString("a"), pythonString("it's"), pythonString(`"`), pythonString(`'"`)]).toEqual([
      "'a'",
      `"it's"`,
      `'"'`,
      `'\\'"'`,
    ]);
  });
});
