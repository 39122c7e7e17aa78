import { expect, it } from "vitest";
import { TimeExceeded, withinTime } from "./within-time.ts";

it("gives the result or the error of work that ends in time", () => {
  expect(withinTime(1000, () => 7)).toBe(7);
  const failing = (): never => {
    throw new RangeError("no");
  };
  expect(() => withinTime(1000, failing)).toThrow(RangeError);
});

it("stops a pattern that would backtrack for years", () => {
  expect(() => withinTime(50, () => /^(a+)+$/.test(`${"a".repeat(60)}b`))).toThrow(TimeExceeded);
});
