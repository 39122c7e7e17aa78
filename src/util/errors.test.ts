import { describe, expect, it } from "vitest";
import { InputError, messageOf, quote, unknownName } from "./errors.ts";

describe("InputError", () => {
  it("begins with the place, as far as it is known", () => {
    expect(new InputError("bad tag").message).toBe("bad tag");
    expect(new InputError("bad tag", { file: "a.conll" }).message).toBe("a.conll: bad tag");
    expect(new InputError("bad tag", { file: "a.conll", line: 7 }).message).toBe("a.conll:7: bad tag");
    expect(new InputError("bad tag", { line: 7 }).message).toBe("line 7: bad tag");
  });

  it("is one line, and an error that can be told from others", () => {
    const error = new InputError("first\n   second\r\nthird", { file: "a" });
    expect(error.message).toBe("a: first second third");
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("InputError");
    expect(error.place).toEqual({ file: "a" });
  });
});

describe("parts of messages", () => {
  it("quote shows any value on one short line", () => {
    expect(quote('say "a"\n')).toBe('"say \\"a\\"\\n"');
    expect(quote([1, null])).toBe("[1,null]");
    expect(quote(undefined)).toBe("undefined");
    expect(quote("x".repeat(200))).toBe(`"${"x".repeat(76)}…"`);
    expect(quote(new Array(100).fill(0))).toBe(`[${"0,".repeat(38)}…`);
  });

  it("quote looks at no more of a value than it shows, however deep or long it is", () => {
    let deep: unknown = "core";
    for (let depth = 0; depth < 100_000; depth++) deep = depth % 2 ? [deep] : { a: deep };
    expect(quote(deep)).toBe(`[${'{"a":['.repeat(12)}{"a"…`);
    expect(quote("x".repeat(2 ** 28))).toHaveLength(80 - 1);
    expect(quote({ b: [1, "two"], c: null, d: undefined })).toBe('{"b":[1,"two"],"c":null,"d":undefined}');
  });

  it("holds nothing that steers a terminal, in the message, the value or the name of the file", () => {
    const hostile = "\u001b[2J\u009b1m\u202e";
    expect(quote(hostile)).toBe('"\\u001b[2J\\u009b1m\\u202e"');
    const { message } = new InputError(`bad ${hostile}`, { file: `a${hostile}\n.conll` });
    expect(message).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it("is short, whatever it quotes", () => {
    expect(new InputError("x".repeat(10_000_000)).message.length).toBeLessThan(3000);
    const many = Array.from({ length: 100_000 }, (_, i) => `name${i}`);
    expect(unknownName("other", many)).toMatch(/, name59, and 99940 more\)$/);
  });

  it("unknownName lists what there is", () => {
    expect(unknownName("rat", ["rate", "maxWidth"])).toBe('"rat" (known: rate, maxWidth)');
  });

  it("messageOf takes whatever was thrown", () => {
    expect(messageOf(new TypeError("no"))).toBe("no");
    expect(messageOf("no")).toBe("no");
    const endless = (): number => 1 + endless();
    expect(() => {
      try {
        endless();
      } catch (error) {
        throw new Error(messageOf(error));
      }
    }).toThrow("it is nested too deeply");
    expect(messageOf(undefined)).toBe("undefined");
  });
});
