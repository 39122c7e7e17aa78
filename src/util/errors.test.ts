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

  it("unknownName lists what there is", () => {
    expect(unknownName("rat", ["rate", "maxWidth"])).toBe('"rat" (known: rate, maxWidth)');
  });

  it("messageOf takes whatever was thrown", () => {
    expect(messageOf(new TypeError("no"))).toBe("no");
    expect(messageOf("no")).toBe("no");
    expect(messageOf(undefined)).toBe("undefined");
  });
});
