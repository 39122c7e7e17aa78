import { describe, expect, it } from "vitest";
import { type Document, makeSentence } from "../text/document.ts";
import { findTokens } from "../text/tokens.ts";
import { buildMatcher } from "./build.ts";
import { labelWith } from "./label.ts";
import type { Entry } from "./matcher.ts";
import { makePolicy } from "./policy.ts";
import { estimatePrecision, wilson } from "./precision.ts";
import { reportCollector } from "./report.ts";

const lines: readonly Entry[] = [
  { surface: "Paris", type: "LOC", dictionary: "places" },
  { surface: "Paris", type: "PER", dictionary: "people" },
  { surface: "Rome", type: "LOC", dictionary: "places" },
  { surface: "Rome", type: "LOC", dictionary: "places" },
  { surface: "Rome Smith", type: "PER", dictionary: "people" },
  { surface: "May", type: "PER", dictionary: "people" },
  { surface: "Oslo", type: "LOC", dictionary: "places" },
  { surface: "steel", dictionary: "phrases" },
];
const matcher = buildMatcher(lines, { stop: ["May"] });

const documentOf = (text: string): Document => ({ text, sentences: [makeSentence(text, findTokens(text))] });

describe("the report", () => {
  const collector = reportCollector(matcher);
  for (const text of ["Rome and\n Rome", "Rome Smith likes steel in May", "Paris"]) {
    collector.add(labelWith(documentOf(text), matcher, makePolicy()));
  }
  const report = collector.report(10);

  it("counts what became of the matches, by type and by dictionary", () => {
    expect(report.outcomes).toEqual({ entity: 3, unsure: 1, ambiguous: 1, refused: 1, overlapped: 1, settled: 0 });
    expect(report.types).toEqual({ LOC: 2, PER: 1 });
    expect(report.dictionaries).toEqual({ places: 2, people: 1 });
    expect(report.surfaces).toEqual({ total: 6, matched: 5, ambiguous: 1 });
    expect(report.leftOut).toEqual({ repeated: 1, vanished: 0 });
  });

  it("shows the most frequent surfaces with places to look at, the ambiguous ones and those never found", () => {
    expect(report.frequent[0]).toEqual({
      surface: "Rome",
      types: ["LOC"],
      dictionaries: ["places"],
      matches: 3,
      labels: 2,
      contexts: ["[Rome] and Rome", "Rome and [Rome]", "[Rome] Smith likes steel in May"],
    });
    expect(report.frequent.map(({ surface, matches }) => [surface, matches]).slice(1)).toEqual([
      ["Rome Smith", 1],
      ["May", 1],
      ["Paris", 1],
      ["steel", 1],
    ]);
    expect(report.ambiguous).toMatchObject([{ surface: "Paris", types: ["LOC", "PER"], matches: 1, labels: 0 }]);
    expect(report.neverMatched).toEqual(["Oslo"]);
    expect(collector.report(1).frequent).toHaveLength(1);
  });

  it("keeps three places of each surface and cuts them to its neighbourhood", () => {
    const many = reportCollector(matcher);
    const text = `${"far ".repeat(30)}Rome${" away".repeat(30)}`;
    for (let i = 0; i < 9; i++) many.add(labelWith(documentOf(text), matcher, makePolicy()));
    const { matches, contexts } = many.report(1).frequent[0]!;
    expect(matches).toBe(9);
    expect(contexts).toEqual(Array(3).fill(`${"far ".repeat(10)}[Rome]${" away".repeat(8)}`));
  });

  it("forgets the places of rare surfaces when there are too many, and not those of frequent ones", () => {
    const names = Array.from({ length: 20_000 }, (_, i) => `n${i}`);
    const wide = buildMatcher(names.map((surface) => ({ surface, type: "X", dictionary: "d" })));
    const collector = reportCollector(wide);
    for (const name of names) collector.add(labelWith(documentOf(`${name} n0`), wide, makePolicy()));
    const [first, ...rest] = collector.report(20_000).frequent;
    expect(first).toMatchObject({ surface: "n0", matches: 20_001, contexts: ["[n0] n0", "n0 [n0]", "n1 [n0]"] });
    const kept = rest.filter(({ contexts }) => contexts.length > 0).length;
    expect(kept).toBeGreaterThan(4000);
    expect(kept).toBeLessThan(8192);
  });
});

describe("the estimated precision", () => {
  const sentence = (text: string, ...annotation: Parameters<typeof makeSentence>[2][]): Document => ({
    text,
    sentences: [makeSentence(text, findTokens(text), ...annotation)],
  });

  it("judges labels where the sample knows, and only there", async () => {
    const estimate = await estimatePrecision(
      [
        sentence("Rome and Rome", { entities: [{ start: 0, end: 1, type: "LOC" }], complete: [{ start: 0, end: 3 }] }),
        sentence("Rome Smith", { entities: [{ start: 0, end: 2, type: "PER" }] }),
        sentence("Rome", { rejected: [{ start: 0, end: 1, type: "LOC" }] }),
        sentence("Oslo"),
        sentence("Bergen", { entities: [{ start: 0, end: 1, type: "LOC" }] }),
      ],
      matcher,
    );
    expect(estimate).toMatchObject({ right: 2, wrong: 2, unjudged: 1, precision: 0.5, recall: 2 / 3 });
    expect(estimate.byType).toMatchObject({
      LOC: { right: 1, wrong: 2, unjudged: 1, precision: 1 / 3, recall: 1 / 2 },
      PER: { right: 1, wrong: 0, unjudged: 0, precision: 1, recall: 1 },
    });
    expect(estimate.wrongEntries).toEqual([{ entry: "Rome", type: "LOC", right: 1, wrong: 2 }]);
  });

  it("says nothing of precision and recall where there is nothing to judge", async () => {
    expect(await estimatePrecision([sentence("Oslo")], matcher)).toEqual({
      right: 0,
      wrong: 0,
      unjudged: 1,
      byType: { LOC: { right: 0, wrong: 0, unjudged: 1 } },
      wrongEntries: [],
    });
  });

  it("has Wilson's interval", () => {
    // The interval solves (p - x)^2 = z^2 p (1 - p) / n.
    const [low, high] = wilson(15, 20);
    for (const p of [low, high]) expect((p - 0.75) ** 2).toBeCloseTo((1.959963984540054 ** 2 * p * (1 - p)) / 20, 12);
    expect(low).toBeLessThan(0.75);
    expect(high).toBeGreaterThan(0.75);
    expect(wilson(0, 5)[0]).toBe(0);
    expect(wilson(5, 5)[1]).toBe(1);
  });
});
