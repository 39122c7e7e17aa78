import { describe, expect, it } from "vitest";
import { fields, finite, flag, list, oneOf, optional, record, type Shape, text, whole } from "./shape.ts";

const person = fields({ name: text, age: optional(whole(0, 150)), tags: list(oneOf("a", "b")) });

describe("a value from a file", () => {
  it.each<[Shape, unknown]>([
    [text, ""],
    [flag, false],
    [finite, -0.5],
    [whole(1, 3), 3],
    [list(finite), []],
    [list(text, 2), ["a", "b"]],
    [record(flag), { any: true, toString: false }],
    [person, { name: "Ada", tags: ["a", "b"], more: 1 }],
    [person, { name: "Ada", age: 36, tags: [] }],
  ])("that has its shape is fine: %#", (shape, value) => {
    expect(shape(value, "")).toBeUndefined();
  });

  it.each<[Shape, unknown, string]>([
    [text, 1, "expected a text, got 1"],
    [flag, 0, "expected true or false, got 0"],
    [finite, Number.NaN, "expected a number, got NaN"],
    [finite, "1", 'expected a number, got "1"'],
    [whole(0), 1.5, "expected a whole number from 0 to 2147483647, got 1.5"],
    [whole(0), 2 ** 31, "expected a whole number from 0 to 2147483647, got 2147483648"],
    [list(text), { length: 0 }, 'expected a list, got {"length":0}'],
    [list(text, 2), ["a"], 'expected a list of 2, got ["a"]'],
    [list(list(finite)), [[1], [2, null]], "1.1: expected a number, got null"],
    [record(flag), [true], "expected an object, got [true]"],
    [record(flag), { a: true, b: "no" }, 'b: expected true or false, got "no"'],
    [person, null, "expected an object, got null"],
    [person, {}, "name: expected a text, got undefined"],
    [person, { name: "x", tags: ["a", "c"] }, 'tags.1: expected a or b, got "c"'],
    [person, { name: "x", tags: [], age: 151 }, "age: expected a whole number from 0 to 150, got 151"],
    // What every object answers to is no field.
    [fields({ constructor: text }), {}, "constructor: expected a text, got undefined"],
  ])("that has another is described with its path: %#", (shape, value, fault) => {
    expect(shape(value, "")).toBe(fault);
  });
});
