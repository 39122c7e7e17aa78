import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../test/support/words.ts";
import type { Entity, Sentence } from "../text/index.ts";
import { judge, type Weighed } from "./judge.ts";

const types = ["LOC", "ORG", "PER"];
const given: Entity = { start: 2, end: 3, type: "LOC" };

/** A span of a sentence, with how probable each type is there. */
function weighed(
  start: number,
  end: number,
  shares: readonly number[],
  labels: readonly Entity[] = [],
  ordinary = 0,
): Weighed {
  const none = types.map(() => 0);
  return {
    candidate: {
      ...{ start, end, probs: shares, votes: none, given: labels, open: types.map(() => true) },
      ...{ barred: types.map(() => false), dictionary: types.map(() => undefined) },
      ...{ elsewhere: { labelled: none, places: 0 }, longer: { prob: 0, labelled: 0 } },
      ordinary: { share: ordinary, places: 10 * ordinary },
    },
    evidence: shares.map((label) => ({ label, seen: false, ordinary })),
    shares,
  };
}

const text = sentenceOf("to New York by train", { entities: [given] });

/** What is judged of the label of the first sentence, with so many labels beside it that models agree or disagree with. */
function judged(
  own: readonly Weighed[],
  { agreed = 0, contradicted = 0, trust = undefined as number | undefined } = {},
) {
  const [sentences, rows]: [Sentence[], (readonly Weighed[])[]] = [[text], [own]];
  for (let i = 0; i < agreed + contradicted; i++) {
    sentences.push(text);
    rows.push([weighed(2, 3, i < agreed ? [0.9, 0.01, 0.01] : [0.001, 0.9, 0.01], [given])]);
  }
  const { judgements, rates } = judge(sentences, rows, { types, calibrated: false, trust });
  return { ...judgements.find(({ sentence, given: label }) => sentence === 0 && label !== null)!, rates };
}

describe("the judgement of a label", () => {
  it("weighs the label, another type, another boundary and none, by hand", () => {
    const rows = [weighed(1, 3, [0.3, 0.24, 0], []), weighed(2, 3, [0.2, 0.1, 0.05], [given])];
    const { score, doubt, rates } = judged(rows, { agreed: 20 });
    // The longer span counts with its LOC and a third of its ORG; nothing is there with the rest of the likeliest span.
    const wrong = rates.type * 0.1 + rates.boundary * (0.3 + 0.24 / 3) + rates.none * (1 - 0.54);
    const right = rates.label * 0.2;
    expect(doubt).toBeCloseTo(wrong / (right + wrong), 12);
    expect(score).toBeCloseTo(1 - (1 - rates.repeated) * (right / (right + wrong)), 12);
  });

  it("doubts an ordinary word as far as it is one, although models repeat its label, by hand", () => {
    const of = (ordinary: number) =>
      judged([weighed(2, 3, [0.9 * (1 - ordinary), 0, 0], [given], ordinary)], { agreed: 20 });
    expect(of(0).doubt).toBeLessThan(0.01);
    const { doubt, kind, rates } = of(0.8);
    const [right, none] = [0.18 * rates.label, 0.82 * (0.8 * rates.label + 0.2 * rates.none)];
    expect(doubt).toBeCloseTo(none / (right + none), 12);
    expect(kind).toBe("wrong");
  });

  it("suggests another boundary with another type only where that is three times as probable as the same type", () => {
    const suggestion = (longer: readonly number[]) =>
      judged([weighed(1, 3, longer), weighed(2, 3, [0.001, 0, 0], [given])], { agreed: 20 });
    const place = { kind: "boundary", start: 1, end: 3, given };
    expect(suggestion([0.001, 0.9, 0])).toMatchObject({ ...place, type: "ORG" });
    expect(suggestion([0.3, 0.6, 0])).toMatchObject({ ...place, type: "LOC" });
    expect(suggestion([0.2, 0.7, 0])).toMatchObject({ ...place, type: "ORG" });
  });

  it("trusts a label that models agree with less where they contradict others, and not because of itself", () => {
    const own = [weighed(2, 3, [0.98, 0, 0], [given])];
    const [clean, noisy] = [judged(own, { agreed: 20 }), judged(own, { agreed: 20, contradicted: 10 })];
    expect(clean.score).toBeLessThan(0.01);
    // Each of the ten is wrong almost surely, so that a third of the labels is contradicted and as many are repeated errors.
    expect(noisy.score).toBeGreaterThan(0.28);
    expect(noisy.score).toBeLessThan(1 / 3);
    expect(noisy.doubt).toBeLessThan(0.01);
  });

  it("takes a stated share of right labels for what models contradict and what they repeat together", () => {
    const own = [weighed(2, 3, [0.98, 0, 0], [given])];
    const { score, doubt, rates } = judged(own, { agreed: 20, contradicted: 2, trust: 0.7 });
    expect(rates.correct).toBeCloseTo(0.7, 12);
    expect(score).toBeCloseTo(1 - (1 - doubt) * (1 - rates.repeated), 12);
    expect(score).toBeGreaterThan(0.2);
  });
});
