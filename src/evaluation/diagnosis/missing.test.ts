import { describe, expect, it } from "vitest";
import type { Sentence } from "../../text/document.ts";
import { random } from "../../util/random.ts";
import { hide, labelled, makeCorpus, placedAlone } from "./corpus.suite.ts";
import type { Estimate, MissingShare } from "./estimate.ts";
import { wilson } from "./estimate.ts";
import { missingBySample } from "./missing-by-sample.ts";
import { missingBySurface } from "./missing-by-surface.ts";
import { surfaceUses } from "./surface-uses.ts";

function bySurface(sentences: readonly Sentence[]) {
  return missingBySurface(sentences, surfaceUses(placedAlone(sentences)));
}

function expectHeld(estimate: Estimate | undefined, share: number, width: number): void {
  expect(estimate).toMatchObject({ missing: expect.any(Number) });
  const { low, high, missing } = estimate as MissingShare;
  expect(low).toBeLessThanOrEqual(share);
  expect(high).toBeGreaterThanOrEqual(share);
  expect(missing).toBeGreaterThanOrEqual(low);
  expect(missing).toBeLessThanOrEqual(high);
  expect(high - low).toBeLessThan(width);
}

/** Each type with its own share. */
function hideByType(
  sentences: readonly Sentence[],
  shares: Readonly<Record<string, number>>,
  seed: number,
): Sentence[] {
  const rng = random(seed, "hide");
  return sentences.map((each) => ({
    ...each,
    entities: each.entities.filter(({ type }) => rng.next() >= shares[type]!),
  }));
}

function shareGone(before: readonly Sentence[], after: readonly Sentence[], type?: string): number {
  const count = (list: readonly Sentence[]): number =>
    list.flatMap(({ entities }) => entities).filter((entity) => type === undefined || entity.type === type).length;
  return 1 - count(after) / count(before);
}

const worlds = [
  { names: 150, uses: 8, type: "PER", words: 5 },
  { names: 80, uses: 12, type: "LOC" },
  { names: 4, uses: 5, type: "RARE" },
];
const full = makeCorpus(worlds, 1);

describe("missing labels, from forms labelled here and not there", () => {
  it("are estimated for each type, and for all together", () => {
    const gappy = hideByType(full, { PER: 0.6, LOC: 0.2, RARE: 0.5 }, 2);
    const { byType, overall } = bySurface(gappy);
    expectHeld(byType.PER, shareGone(full, gappy, "PER"), 0.12);
    expectHeld(byType.LOC, shareGone(full, gappy, "LOC"), 0.12);
    expectHeld(overall, shareGone(full, gappy), 0.1);
  });

  it("are not estimated for a type with too few repeated names", () => {
    expect(bySurface(full).byType.RARE).toEqual({ evidence: 4, needed: 10 });
    expect(bySurface([labelled("Ada/PER slept")]).overall).toEqual({ evidence: 0, needed: 10 });
  });

  it("are next to none where every form is labelled everywhere", () => {
    const { byType } = bySurface(full);
    expect(byType.LOC).toMatchObject({ low: 0 });
    expect(byType.LOC!.missing).toBeLessThan(0.01);
  });

  it("are not seen when whole names are left out, as a dictionary does", () => {
    const known = (text: string): boolean => Number(text.replaceAll(/\D/g, "")) % 2 === 0;
    const gappy = full.map((each) => ({
      ...each,
      entities: each.entities.filter(() => known(each.text)),
    }));
    expect(shareGone(full, gappy)).toBeGreaterThan(0.4);
    expect(bySurface(gappy).overall).toMatchObject({ high: expect.any(Number) });
    expect(bySurface(gappy).overall.missing).toBeLessThan(0.02);
  });
});

describe("missing labels, from a sample", () => {
  const sample = makeCorpus(
    [
      { names: 150, uses: 3, type: "PER", words: 5 },
      { names: 80, uses: 4, type: "LOC" },
    ],
    5,
  );

  it("are estimated by density when the sample is of the same kind", () => {
    const gappy = hide(full, 0.5, random(7, "hide"));
    // Corpus: 2,386 entities in 2,585 sentences; sample: 775 in 975.
    const expected = 1 - shareOf(gappy) / shareOf(sample);
    const { density } = missingBySample(gappy, sample);
    expect(density.overall.missing).toBeCloseTo(expected, 12);
    expect(density.overall).toMatchObject({ evidence: 775 });
    expectHeld(density.overall, expected, 0.1);
  });

  it("are estimated by the names of the sample, also when whole names are left out", () => {
    const even = (text: string): boolean => Number(text.replaceAll(/\D/g, "")) % 2 === 0;
    const gappy = full.map((each) => ({ ...each, entities: each.entities.filter(() => even(each.text)) }));
    const { names } = missingBySample(gappy, sample);
    expectHeld(names.byType.PER, shareGone(full, gappy, "PER"), 0.35);
    expectHeld(names.byType.LOC, shareGone(full, gappy, "LOC"), 0.35);
  });

  it("count a place of the sample only when another of its sentences labels the name", () => {
    // "May" is labelled once in the sample, so that this place says nothing and the other says no.
    const small = [
      ...Array.from({ length: 10 }, (_, i) => [labelled(`P${i}/PER x`), labelled(`y P${i}/PER`)]).flat(),
      labelled("May/PER x"),
      labelled("in May"),
    ];
    const corpus = [
      ...Array.from({ length: 10 }, (_, i) => labelled(`so P${i}/PER said`)),
      labelled("in May"),
      labelled("by May"),
    ];
    const { names } = missingBySample(corpus, small);
    // Corpus: 10 of 12 places; sample: 20 of 21.
    expect(names.byType.PER!.missing).toBeCloseTo(1 - 10 / 12 / (20 / 21), 12);
    expect(names.byType.PER).toMatchObject({ evidence: 10 });
  });

  it("are all of a type that the corpus never labels", () => {
    const none = full.map((each) => ({ ...each, entities: each.entities.filter(({ type }) => type !== "PER") }));
    const { density, names } = missingBySample(none, sample);
    for (const { byType } of [density, names]) expect(byType.PER).toMatchObject({ missing: 1, high: 1 });
    expect((density.byType.PER as { low: number }).low).toBeGreaterThan(0.99);
  });

  it("are counted where the sample's sentences stand in the corpus", () => {
    const gappy = hide(full, 0.3, random(8, "hide"));
    const again = full.slice(0, 300);
    const { recall, shared, sentences } = missingBySample(gappy, again);
    expect([shared, sentences]).toEqual([300, 300]);
    expectHeld(recall!.overall, shareGone(full, gappy), 0.12);
    expect(missingBySample(gappy, [labelled("an unseen/PER line")])).not.toHaveProperty("recall");
  });

  it("are not estimated from too little", () => {
    const { density, names } = missingBySample(full, [labelled("Ada/PER slept")]);
    expect(density.overall).toEqual({ evidence: 1, needed: 10 });
    expect(names.overall).toEqual({ evidence: 0, needed: 10 });
    expect(missingBySample(full, []).density.overall).toEqual({ evidence: 0, needed: 10 });
  });
});

function shareOf(sentences: readonly Sentence[]): number {
  return sentences.flatMap(({ entities }) => entities).length / (4 * sentences.length);
}

describe("the interval of Wilson", () => {
  it("for 0 and 5 of 10, as tabulated", () => {
    expect(wilson(0, 10).low).toBe(0);
    expect(wilson(0, 10).high).toBeCloseTo(0.2775, 4);
    expect(wilson(0.5, 10).low).toBeCloseTo(0.2366, 4);
    expect(wilson(0.5, 10).high).toBeCloseTo(0.7634, 4);
  });
});
