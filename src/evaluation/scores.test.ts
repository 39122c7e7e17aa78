import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Entity } from "../text/document.ts";
import { anyPair, pair } from "./examples.suite.ts";
import type { SentencePair } from "./pairs.ts";
import { type Score, score } from "./scores.ts";

describe("a hand-worked table", () => {
  // Gold 5: PER 2, LOC 2, ORG 1. Predicted 6: PER 3, LOC 2, MISC 1. Right: two PER, one LOC.
  const pairs = [
    pair("PER 0 2, LOC 4 5", "PER 0 2, LOC 4 6"),
    pair("PER 1 2, ORG 3 6, LOC 7 8", "PER 1 2, PER 3 6, LOC 7 8"),
    pair("", "MISC 0 1"),
  ];

  it("gives the micro scores", () => {
    const { precision, recall, f1, support } = score(pairs);
    expect(precision).toBe(3 / 6);
    expect(recall).toBe(3 / 5);
    expect(f1).toBeCloseTo((2 * 0.5 * 0.6) / (0.5 + 0.6), 12);
    expect(support).toBe(5);
  });

  it("gives the scores of each type in the gold or the prediction, by name", () => {
    const { byType } = score(pairs);
    expect(Object.keys(byType)).toEqual(["LOC", "MISC", "ORG", "PER"]);
    expect(byType.LOC).toEqual({ precision: 1 / 2, recall: 1 / 2, f1: 1 / 2, support: 2 });
    expect(byType.MISC).toEqual({ precision: 0, recall: 0, f1: 0, support: 0 });
    expect(byType.ORG).toEqual({ precision: 0, recall: 0, f1: 0, support: 1 });
    expect(byType.PER).toEqual({ precision: 2 / 3, recall: 1, f1: 4 / 5, support: 2 });
  });

  it("averages types without weights", () => {
    const { macro } = score(pairs);
    expect(macro.precision).toBeCloseTo((1 / 2 + 0 + 0 + 2 / 3) / 4, 12);
    expect(macro.recall).toBeCloseTo((1 / 2 + 0 + 0 + 1) / 4, 12);
    expect(macro.f1).toBeCloseTo((1 / 2 + 0 + 0 + 4 / 5) / 4, 12);
  });

  it("forgives the type, the boundary or both in the relaxed scores", () => {
    const { boundaries, partial, type } = score(pairs).relaxed;
    // Boundaries: the two PER, the LOC, and ORG 3–6 that was called PER.
    expect(boundaries).toEqual({ precision: 4 / 6, recall: 4 / 5, f1: 8 / 11, support: 5 });
    // Half a point more for LOC 4–6 on LOC 4–5.
    expect(partial).toEqual({ precision: 4.5 / 6, recall: 4.5 / 5, f1: 9 / 11, support: 5 });
    // Type: the three exact ones and LOC 4–6.
    expect(type).toEqual({ precision: 4 / 6, recall: 4 / 5, f1: 8 / 11, support: 5 });
  });
});

it("takes 0/0 for 0", () => {
  const zero = { precision: 0, recall: 0, f1: 0, support: 0 };
  expect(score([])).toEqual({
    ...zero,
    byType: {},
    macro: { precision: 0, recall: 0, f1: 0 },
    relaxed: { boundaries: zero, partial: zero, type: zero },
  });
  expect(score([pair("", "")])).toMatchObject(zero);
  expect(score([pair("", "PER 0 1")])).toMatchObject(zero);
  expect(score([pair("PER 0 1", "")])).toMatchObject({ ...zero, support: 1 });
});

it("keeps a type whose name is special to JavaScript", () => {
  const { byType } = score([pair("__proto__ 0 1", "__proto__ 0 1")]);
  expect(JSON.stringify(byType)).toBe('{"__proto__":{"precision":1,"recall":1,"f1":1,"support":1}}');
});

it("pairs overlapping entities so that as many as possible count, not first come first served", () => {
  // 0–5 could take 0–5, which would leave 0–2 with 3–5 that it does not touch.
  expect(score([pair("A 0 5, A 0 2", "A 0 5, A 3 5")]).relaxed.type.recall).toBe(1);
});

it("counts a span with two types once where the type is ignored", () => {
  expect(score([pair("A 0 2, B 0 2", "C 0 2")]).relaxed.boundaries).toMatchObject({
    precision: 1,
    recall: 1,
    support: 1,
  });
});

describe("against brute force on random sentences", () => {
  const corpora = fc.array(anyPair, { maxLength: 6 });

  it("agrees on the exact scores, overall and by type", () => {
    fc.assert(
      fc.property(corpora, (pairs) => {
        const actual = score(pairs);
        expectScore(
          actual,
          bySets(pairs, () => true),
        );
        for (const [name, each] of Object.entries(actual.byType))
          expectScore(
            each,
            bySets(pairs, (t) => t === name),
          );
        expect(new Set(Object.keys(actual.byType))).toEqual(new Set(pairs.flatMap(typesOf)));
      }),
    );
  });

  it("agrees on the relaxed scores with a search over all pairings", () => {
    fc.assert(
      fc.property(anyPair, ({ gold, predicted }) => {
        const { boundaries, partial, type } = score([{ gold, predicted }]).relaxed;
        const spans = distinct(gold.entities);
        const guesses = distinct(predicted.entities);
        const same = (a: Entity, b: Entity): boolean => a.start === b.start && a.end === b.end;
        const touch = (a: Entity, b: Entity): boolean => tokensOf(a).some((token) => tokensOf(b).includes(token));
        const check = (actual: Score, a: Entity[], b: Entity[], credit: (x: Entity, y: Entity) => number): void =>
          expectScore(actual, [bestPairing(a, b, credit), b.length, a.length]);
        check(boundaries, spans, guesses, (a, b) => Number(same(a, b)));
        check(partial, spans, guesses, (a, b) => (same(a, b) ? 1 : touch(a, b) ? 0.5 : 0));
        check(type, [...gold.entities], [...predicted.entities], (a, b) => Number(a.type === b.type && touch(a, b)));
      }),
    );
  });
});

type Triple = readonly [correct: number, predicted: number, gold: number];

/** Precision, recall and their harmonic mean, written out. */
function expectScore(actual: Score, [correct, predicted, gold]: Triple): void {
  const precision = predicted > 0 ? correct / predicted : 0;
  const recall = gold > 0 ? correct / gold : 0;
  expect(actual.precision).toBeCloseTo(precision, 12);
  expect(actual.recall).toBeCloseTo(recall, 12);
  expect(actual.f1).toBeCloseTo(precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0, 12);
  expect(actual.support).toBe(gold);
}

function bySets(pairs: readonly SentencePair[], keep: (type: string) => boolean): Triple {
  const keys = (side: "gold" | "predicted"): Set<string> =>
    new Set(
      pairs.flatMap((each, index) =>
        each[side].entities.filter((e) => keep(e.type)).map((e) => [index, e.start, e.end, e.type].join("|")),
      ),
    );
  const gold = keys("gold");
  const predicted = keys("predicted");
  return [[...predicted].filter((key) => gold.has(key)).length, predicted.size, gold.size];
}

function typesOf({ gold, predicted }: SentencePair): string[] {
  return [...gold.entities, ...predicted.entities].map((entity) => entity.type);
}

function tokensOf({ start, end }: Entity): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

function distinct(all: readonly Entity[]): Entity[] {
  return [...new Map(all.map((entity) => [`${entity.start} ${entity.end}`, entity])).values()];
}

/** The best total over every way to pair each gold entity with one prediction or none. */
function bestPairing(gold: Entity[], predicted: Entity[], credit: (a: Entity, b: Entity) => number): number {
  const [first, ...rest] = gold;
  if (first === undefined) return 0;
  let best = bestPairing(rest, predicted, credit);
  for (const guess of predicted) {
    const points = credit(first, guess);
    if (points === 0) continue;
    const others = predicted.filter((other) => other !== guess);
    best = Math.max(best, points + bestPairing(rest, others, credit));
  }
  return best;
}
