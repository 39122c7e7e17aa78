import { describe, expect, it } from "vitest";
import { fraction, positiveNumber, typeRate, wholeNumber } from "./options.ts";

describe("numbers in flags", () => {
  it("are read as written", () => {
    expect(["0", "1", ".5", "1e-3", "0.25"].map(fraction)).toEqual([0, 1, 0.5, 0.001, 0.25]);
    expect(["0", "42", "1e3"].map(wholeNumber)).toEqual([0, 42, 1000]);
    expect(["0.5", "30"].map(positiveNumber)).toEqual([0.5, 30]);
  });

  it.each(["", " ", "half", "0x1", "1.01", "-0.1", "NaN", "Infinity", "0,5"])("are not shares of 1: %j", (text) => {
    expect(() => fraction(text)).toThrow("Expected a number from 0 to 1.");
  });

  it.each(["", "0", "-1", "soon"])("are not above 0: %j", (text) => {
    expect(() => positiveNumber(text)).toThrow("Expected a number above 0.");
  });

  it.each(["", "1.5", "-1", "1e99", "seven"])("are not whole: %j", (text) => {
    expect(() => wholeNumber(text)).toThrow("Expected a whole number from 0.");
  });
});

describe("rates by type", () => {
  it("add up over several flags, and a type may hold an equals sign", () => {
    expect(typeRate("a=b=0.2", typeRate("PER=0.5"))).toEqual(
      new Map([
        ["PER", 0.5],
        ["a=b", 0.2],
      ]),
    );
  });

  it.each(["PER", "=0.5"])("need a type and a rate: %j", (text) => {
    expect(() => typeRate(text)).toThrow("Expected TYPE=RATE");
  });
});
