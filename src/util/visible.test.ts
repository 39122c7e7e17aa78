import { describe, expect, it } from "vitest";
import { oneLine, visible, visibleLines } from "./visible.ts";

const hostile = "\u001b[2J\u001b]0;title\u0007";

describe("a text for a terminal", () => {
  it("holds nothing that steers it: escapes, C1 controls, marks of direction, invisible characters", () => {
    expect(visible(hostile)).toBe("\\u001b[2J\\u001b]0;title\\u0007");
    expect(visible("a\u009bK\u007f\u202e\u2066b\u200b")).toBe("a\\u009bK\\u007f\\u202e\\u2066b\\u200b");
    for (let unit = 0; unit < 0xa0; unit++) expect(visible(String.fromCharCode(unit))).not.toMatch(/\p{Cc}/u);
  });

  it("keeps every other character, and line breaks where lines are meant", () => {
    const text = "Zoë 東京 👩‍🚀";
    expect(visible(text)).toBe(text);
    expect(visibleLines("a\tb\nc\r\n")).toBe("a\\tb\nc\\r\n");
  });

  it("is one line in linear time, whatever white space it holds", () => {
    expect(oneLine("first\n   second\r\n\n third")).toBe("first second third");
    // With a pattern that backtracks these take minutes.
    expect(oneLine(`${" ".repeat(1_000_000)}x`, 10)).toBe(`${" ".repeat(9)}…`);
    expect(oneLine("\r".repeat(1_000_000), 12)).toBe("\\r\\r\\r\\r\\r\\…");
  });
});
