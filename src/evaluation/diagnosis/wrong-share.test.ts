import { describe, expect, it } from "vitest";
import { labelled } from "./corpus.suite.ts";
import { wrongShare } from "./wrong-share.ts";

const names = Array.from({ length: 10 }, (_, i) => `Name${i}`);
const times = (count: number, text: string) => Array.from({ length: count }, () => labelled(text));
/** Every name twice, as a person. */
const people = names.flatMap((name) => times(2, `${name}/PER came`));

describe("the share of labels that is wrong", () => {
  it("is that of labels whose names have another type in the sample, or none", () => {
    const corpus = [
      ...names.slice(0, 8).map((name) => labelled(`${name}/PER`)),
      labelled("Name8/LOC"),
      ...times(2, "so/PER"),
      // A name that does not stand in the sample tells nothing.
      labelled("Elsewhere/PER"),
    ];
    const sample = [...people, labelled("so it was"), labelled("so they say")];
    // Of eleven labels eight are right; the sample agrees with itself.
    const found = wrongShare(corpus, sample)!;
    expect(found.share).toBeCloseTo(3 / 11, 12);
    expect(found.evidence).toBe(10);
  });

  it("counts labels, not places: one label of May is one label, however often the month is named", () => {
    const corpus = [...times(9, "Name0/PER"), ...names.map((name) => labelled(`${name}/PER`)), labelled("May/PER")];
    const sample = [...people, ...times(100, "in May")];
    expect(wrongShare(corpus, sample)!.share).toBeCloseTo(1 / 20, 12);
    // Labelled at each of its places, as a dictionary would, it is most of the labels.
    expect(wrongShare([...corpus, ...times(79, "May/PER")], sample)!.share).toBeCloseTo(80 / 99, 12);
  });

  it("forgives what right names are too: words are ambiguous", () => {
    // Each name is a person twice and a place once. Of the labels of a person, half of the other places agree, of that of a
    // place none: one of three in all. A label of a place agrees with one place of three, which is as often.
    const sample = [...people, ...names.map((name) => labelled(`${name}/LOC`))];
    const places = names.map((name) => labelled(`${name}/LOC`));
    expect(wrongShare(places, sample)!.share).toBeCloseTo(0, 12);
    const others = names.map((name) => labelled(`${name}/MISC`));
    expect(wrongShare([...places, ...others], sample)!.share).toBeCloseTo(0.5, 12);
  });

  it("is less certain where the errors are of fewer names", () => {
    const sample = [...people, ...names.map((name) => labelled(`no${name} here`))];
    const right = names.map((name) => labelled(`${name}/PER`));
    const many = wrongShare([...right, ...names.map((name) => labelled(`no${name}/PER`))], sample)!;
    const one = wrongShare([...right, ...times(10, "noName0/PER")], sample)!;
    expect([many.share, one.share]).toEqual([0.5, 0.5]);
    // To first order ln(hits / trials) has the variance 20 · 0.05², times 20/19: each name is a half too much or too little, of 10 hits.
    const error = Math.sqrt((0.05 * 20) / 19);
    expect(many.low).toBeCloseTo(1 - 0.5 * Math.exp(1.959964 * error), 6);
    expect(many.high).toBeCloseTo(1 - 0.5 * Math.exp(-1.959964 * error), 6);
    expect(one.low).toBe(0);
  });

  it("looks away from places within longer names", () => {
    const corpus = names.map((name) => labelled(`${name}/PER`));
    const within = names.map((name) => labelled(`${name}_Street/LOC`));
    expect(wrongShare(corpus, [...people, ...within])!.share).toBe(0);
  });

  it("cannot be told by fewer than ten names, or where the sample has none twice", () => {
    const corpus = names.map((name) => labelled(`${name}/PER`));
    expect(wrongShare(corpus.slice(1), people)).toBeUndefined();
    expect(wrongShare(corpus, people.slice(1))).toBeUndefined();
    expect(wrongShare([], [])).toBeUndefined();
  });
});
