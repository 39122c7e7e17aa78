import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ArrayName, openAutomaton } from "./automaton.ts";
import { buildMatcher } from "./build.ts";
import { type Matcher, matcherOf } from "./matcher.ts";
import { anyTrial, naiveFold } from "./naive.suite.ts";
import { deserialise, readMatcher, serialise, writeMatcher } from "./serialise.ts";

const matcher = buildMatcher(
  [
    { surface: "New York", type: "LOC", dictionary: "places" },
    { surface: "PARIS", type: "LOC", dictionary: "places" },
    { surface: "Paris", type: "PER", dictionary: "people" },
    { surface: "steel", dictionary: "phrases" },
  ],
  { folding: { case: true }, stop: ["steel"] },
);

/** The same matcher with arrays of its own, to be damaged. */
function damaged(name: ArrayName, index: number, value: number): Matcher {
  const { header, buffer } = matcher.automaton;
  const copy = new SharedArrayBuffer(buffer.byteLength);
  new Uint8Array(copy).set(new Uint8Array(buffer));
  const automaton = openAutomaton(header, copy);
  automaton.arrays[name][index] = value;
  return matcherOf(automaton);
}

describe("a compiled matcher", () => {
  it("comes back from its bytes and finds the same", () => {
    fc.assert(
      fc.property(anyTrial, ({ entries, sentence, folding }) => {
        fc.pre(entries.some((entry) => naiveFold(entry.surface, folding) !== ""));
        const before = buildMatcher(entries, { folding });
        const after = deserialise(serialise(before));
        expect(after.automaton.header).toEqual(before.automaton.header);
        expect(after.find(sentence)).toEqual(before.find(sentence));
        for (const { key } of before.find(sentence)) {
          expect(after.entries(key)).toEqual(before.entries(key));
          expect(after.types(key)).toEqual(before.types(key));
        }
      }),
      { numRuns: 100 },
    );
  });

  it("is the same bytes each time, and can be opened where it lies in a larger array", () => {
    const bytes = serialise(matcher);
    expect(serialise(matcher)).toEqual(bytes);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    expect(serialise(deserialise(shifted.subarray(3)))).toEqual(bytes);
    expect(serialise(deserialise(Buffer.from(bytes)))).toEqual(bytes);
  });

  it("is written to a file as a whole", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-matcher-"));
    try {
      const path = join(folder, "d.lexicon");
      await writeMatcher(path, matcher);
      expect(serialise(await readMatcher(path))).toEqual(serialise(matcher));
      expect(readdirSync(folder)).toEqual(["d.lexicon"]);
      await expect(writeMatcher(join(folder, "no", "d.lexicon"), matcher)).rejects.toThrow(
        /cannot be written: the folder/,
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("refuses any file in which a single byte has changed", () => {
    const bytes = serialise(matcher);
    for (let at = 0; at < bytes.length; at += 37) {
      const changed = bytes.slice();
      changed[at]! ^= 1 << (at % 8);
      expect(() => deserialise(changed, "d.lexicon")).toThrow(/^d\.lexicon: compiled dictionary: /);
    }
  });

  it("refuses a file that was cut short, is too long, or is something else", () => {
    const bytes = serialise(matcher);
    expect(() => deserialise(bytes.subarray(0, 10))).toThrow("expected at least 20 bytes, got 10");
    expect(() => deserialise(bytes.subarray(0, bytes.length - 4))).toThrow(/got \d+: the file is cut short or damaged/);
    expect(() => deserialise(new Uint8Array([...bytes, 0]))).toThrow("the file is cut short or damaged");
    expect(() => deserialise(new TextEncoder().encode("New York\nParis\nLondon\n"))).toThrow(
      "no file of a compiled dictionary",
    );
    const later = bytes.slice();
    new DataView(later.buffer).setInt32(4, 2, true);
    expect(() => deserialise(later)).toThrow("version 2 is not known here (known: 1); compile it again");
  });

  it.each<[ArrayName, number, number, string]>([
    ["table", 1, 99, "the table of surfaces is damaged"],
    ["lengthKeys", 3, 7, "the surfaces are not ordered by length"],
    ["lengthUnits", 6, 1000, "the surfaces are not ordered by length"],
    ["keyEntries", 1, 0, "the entries of the surfaces are out of order"],
    ["entryTypes", 0, 2, "an entry has a type that does not exist"],
    ["entryTypes", 0, -2, "an entry has a type that does not exist"],
    ["entryDictionaries", 1, 3, "an entry has a dictionary that does not exist"],
    ["entrySurfaces", 1, -5, "the surfaces of the entries are out of order"],
  ])("refuses a file whose checksum is right but whose %s[%i] is %i", (name, index, value, message) => {
    expect(() => deserialise(serialise(damaged(name, index, value)))).toThrow(`compiled dictionary: ${message}`);
  });

  it("refuses a table without a free slot, in which a search would not end", () => {
    const { header, buffer, arrays } = matcher.automaton;
    const full = openAutomaton(header, new SharedArrayBuffer(buffer.byteLength));
    for (const name of Object.keys(arrays) as ArrayName[]) full.arrays[name].set(arrays[name]);
    full.arrays.table.fill(1);
    expect(() => deserialise(serialise(matcherOf(full)))).toThrow("the table of surfaces is damaged");
  });

  it("refuses a header that says something else than the arrays", () => {
    const { header, buffer, arrays } = matcher.automaton;
    const withHeader = (change: object) =>
      serialise({ ...matcher, automaton: { header: { ...header, ...change }, buffer, arrays } });
    expect(() => deserialise(withHeader({ longest: 3 }))).toThrow("not ordered by length");
    expect(() => deserialise(withHeader({ lengths: { ...header.lengths, units: 1 } }))).toThrow(
      "lengths of the arrays",
    );
    expect(() => deserialise(withHeader({ unicode: "9.0" }))).toThrow(/it was compiled with Unicode 9\.0, here is \d/);
    expect(() => deserialise(withHeader({ types: "LOC" }))).toThrow("the header is not as expected");
    expect(() => deserialise(withHeader({ extra: 1 }))).toThrow("the header is not as expected");
    expect(() => deserialise(withHeader({ folding: { case: 1 } }))).toThrow(
      "folding: case must be true or false, got 1",
    );
  });
});
