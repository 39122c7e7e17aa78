import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../test/support/words.ts";
import { annotate, type Document, declareComplete, type Sentence } from "../text/index.ts";
import { gainOf } from "./groups.ts";
import type { MeanSpan } from "./mean-spans.ts";
import { rank } from "./rank.ts";
import { suspicionSchema } from "./suspicion.ts";

const types = ["LOC", "PER"];
const options = { types, models: 1, least: 0.01, seed: 1 };

/** What models say of a span: the probabilities of LOC and PER. */
function said(start: number, end: number, probs: readonly number[]): MeanSpan {
  return { start, end, probs, votes: probs.map((prob) => (prob >= 0.1 ? 1 : 0)) };
}

/** Sentences in which models and labels mostly agree, so that there is something usual. */
const usual = Array.from({ length: 40 }, (_, i) => ({
  sentence: sentenceOf(`w${i} visits P${i} now`, { entities: [{ start: 2, end: 3, type: "LOC" }] }),
  spans: [said(2, 3, [0.2 + i / 50, 0.02]), said(0, 1, [0.01, i / 80])],
}));

function audited(sentences: readonly Sentence[], spans: readonly (readonly MeanSpan[])[], more = {}) {
  const all = [...sentences, ...usual.map(({ sentence }) => sentence)];
  const documents: Document[] = all.map((sentence) => ({ text: sentence.text, sentences: [sentence] }));
  return rank(documents, [...spans, ...usual.map((each) => each.spans)], { ...options, ...more });
}

describe("the ranking of suspicions", () => {
  it("finds the four kinds, with the place in the document's text and what stands there", () => {
    const { suspicions } = audited(
      [
        sentenceOf("Ana Lopes left Porto", { entities: [{ start: 3, end: 4, type: "LOC" }] }),
        sentenceOf("the table fell", { entities: [{ start: 1, end: 2, type: "PER" }] }),
        sentenceOf("in Rui he trusts", { entities: [{ start: 1, end: 2, type: "LOC" }] }),
        sentenceOf("to New York by train", { entities: [{ start: 2, end: 3, type: "LOC" }] }),
      ],
      [
        [said(0, 2, [0.01, 0.9]), said(3, 4, [0.9, 0.01])],
        [said(1, 2, [0.0, 0.001])],
        [said(1, 2, [0.002, 0.95])],
        [said(1, 3, [0.9, 0.0]), said(2, 3, [0.01, 0.0])],
      ],
    );
    const found = suspicions.map(({ reasons, group, score, ...rest }) => rest);
    expect(found).toContainEqual({
      kind: "missing",
      document: 1,
      start: 0,
      end: 9,
      text: "Ana Lopes",
      type: "PER",
      given: null,
    });
    expect(found).toContainEqual({
      ...{ kind: "wrong", document: 2, start: 4, end: 9, text: "table", type: "PER" },
      given: { start: 4, end: 9, type: "PER" },
    });
    expect(found).toContainEqual({
      ...{ kind: "type", document: 3, start: 3, end: 6, text: "Rui", type: "PER" },
      given: { start: 3, end: 6, type: "LOC" },
    });
    expect(found).toContainEqual({
      ...{ kind: "boundary", document: 4, start: 3, end: 11, text: "New York", type: "LOC" },
      given: { start: 7, end: 11, type: "LOC" },
    });
    for (const suspicion of suspicions) expect(suspicionSchema.safeParse(suspicion).success).toBe(true);
  });

  it("doubts the label of a word that stands in lower case elsewhere, although models repeat it, and says why", () => {
    const labelled = sentenceOf("He left", { entities: [{ start: 0, end: 1, type: "PER" }] });
    const others = Array.from({ length: 40 }, (_, i) => sentenceOf(`then he ate ${i}`));
    const found = (more: readonly Sentence[]) =>
      audited([labelled, ...more], [[said(0, 1, [0, 0.9])], ...more.map(() => [])]).suspicions.find(
        ({ text }) => text === "He",
      );
    expect(found(others)).toMatchObject({ kind: "wrong", given: { type: "PER" } });
    expect(found(others)!.score).toBeGreaterThan(0.4);
    expect(found(others)!.reasons).toContain("In 40 places it stands in lower case and has no label.");
    expect(found([])?.score ?? 0).toBeLessThan(0.1);
  });

  it("puts what a brute-force search over all orders would put first, by the gain of each decision", () => {
    const probs = [0.9, 0.5, 0.2, 0.7];
    const sentences = probs.map((_, i) => sentenceOf(`x${i} Zed${i % 3} said`));
    const { suspicions } = audited(
      sentences,
      probs.map((prob) => [said(1, 2, [0, prob])]),
      { least: 0 },
    );
    const missing = suspicions.filter(({ text }) => text.startsWith("Zed"));
    const groups = [...new Set(missing.map(({ group }) => group))];
    const scoresOf = (group: string): number[] =>
      missing.filter((each) => each.group === group).map(({ score }) => score);
    // The order that collects the most, the earlier the more.
    const value = (order: readonly string[]): number =>
      order.reduce((sum, group, place) => sum + gainOf(scoresOf(group)) * (order.length - place), 0);
    const best = permutations(groups).reduce((a, b) => (value(b) > value(a) ? b : a));
    expect(groups).toEqual(best);
    expect(groups).toHaveLength(3);
  });

  it("takes copies of one text for one decision, the surest first, next to each other", () => {
    const places = [0.3, 0.8, 0.6];
    const { suspicions } = audited(
      places.map((_, i) => sentenceOf(`n${i} Ivo came`)),
      places.map((prob) => [said(1, 2, [0, prob])]),
      { least: 0 },
    );
    const own = suspicions.filter(({ text }) => text === "Ivo");
    expect(own.map(({ document }) => document)).toEqual([2, 3, 1]);
    expect(new Set(own.map(({ group }) => group)).size).toBe(1);
    const first = suspicions.findIndex(({ text }) => text === "Ivo");
    expect(suspicions.slice(first, first + 3)).toEqual(own);
  });

  it("never suspects missing what people rejected, left undecided or declared complete", () => {
    const text = sentenceOf("then Ana left");
    const spans = [said(1, 2, [0.01, 0.95])];
    const kinds = (sentence: Sentence): string[] =>
      audited([sentence], [spans])
        .suspicions.filter(({ document }) => document === 1)
        .map(({ type }) => type);
    expect(kinds(text)).toEqual(["PER"]);
    expect(kinds(annotate(text, { rejected: [{ start: 1, end: 2 }] }))).toEqual([]);
    expect(kinds(annotate(text, { rejected: [{ start: 1, end: 2, type: "PER" }] }))).not.toContain("PER");
    expect(kinds(annotate(text, { rejected: [{ start: 1, end: 2, type: "LOC" }] }))).toEqual(["PER"]);
    expect(kinds(annotate(text, { unsure: [{ start: 1, end: 2 }] }))).toEqual([]);
    expect(kinds(annotate(text, { unsure: [{ start: 0, end: 2 }] }))).toEqual([]);
    expect(kinds(declareComplete(text))).toEqual([]);
    expect(kinds(declareComplete(text, ["PER"]))).not.toContain("PER");
    expect(kinds(declareComplete(text, ["LOC"]))).toEqual(["PER"]);
  });

  it("does not suggest a type or a boundary that a person ruled out", () => {
    const doubted = sentenceOf("in Rui he trusts", { entities: [{ start: 1, end: 2, type: "LOC" }] });
    const spans = [said(1, 2, [0.002, 0.95]), said(1, 3, [0.9, 0])];
    const rejected = [
      { start: 1, end: 2, type: "PER" },
      { start: 1, end: 3, type: "LOC" },
    ];
    const { suspicions } = audited([annotate(doubted, { rejected })], [spans]);
    expect(suspicions.filter(({ document, kind }) => document === 1 && kind !== "wrong")).toEqual([]);
  });

  it("lists a label that no model contradicts only where everything is listed, however little labels are trusted", () => {
    const agreed = sentenceOf("near Faro today", { entities: [{ start: 1, end: 2, type: "LOC" }] });
    const listed = (least: number) =>
      audited([agreed], [[said(1, 2, [0.99, 0])]], { least, trust: 0.5 }).suspicions.filter(
        ({ document }) => document === 1,
      );
    expect(listed(0.05)).toEqual([]);
    expect(listed(0)[0]!.score).toBeGreaterThan(0.4);
  });

  it("counts offsets in UTF-16 units, whatever stands before", () => {
    const text = "😀 👩‍👩‍👧\r\nAna";
    const sentence = sentenceFrom(text, [0, 2, 3, 11, 13, 16]);
    const { suspicions } = audited([sentence], [[said(2, 3, [0, 0.9])]]);
    const [found] = suspicions.filter(({ document }) => document === 1);
    expect(found).toMatchObject({ kind: "missing", start: 13, end: 16, text: "Ana" });
    expect(text.slice(found!.start, found!.end)).toBe("Ana");
  });

  it("names documents by their id, or by their number where two share one", () => {
    const sentence = sentenceOf("then Ana left");
    const documents = ["a", "b", "b", undefined].map((id) => ({
      ...(id !== undefined && { id }),
      text: sentence.text,
      sentences: [sentence],
    }));
    const rest = usual.map(({ sentence: own }) => ({ text: own.text, sentences: [own] }));
    const spans = [...documents.map(() => [said(1, 2, [0.9, 0])]), ...usual.map((each) => each.spans)];
    const { suspicions } = rank([...documents, ...rest], spans, options);
    const names = suspicions.filter(({ text }) => text === "Ana").map(({ document }) => document);
    expect(new Set(names)).toEqual(new Set(["a", 2, 3, 4]));
  });

  it("gives the same list whatever the order of the models' spans, and scores between 0 and 1", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.double({ min: 0.001, max: 0.99, noNaN: true })), { maxLength: 6 }),
        (drawn) => {
          const unique = new Map(
            drawn.map(([start, width, prob]) => {
              const end = Math.min(5, start + 1 + width);
              return [`${start} ${end}`, said(start, end, [prob, (1 - prob) / 2])] as const;
            }),
          );
          const spans = [...unique.values()];
          const sentence = sentenceOf("a b c d e", { entities: [{ start: 1, end: 3, type: "PER" }] });
          const there = audited([sentence], [spans]).suspicions;
          expect(audited([sentence], [spans.toReversed()]).suspicions).toEqual(there);
          for (const { score } of there) expect(score >= 0 && score <= 1).toBe(true);
          const missing = there.filter(({ kind, document }) => kind === "missing" && document === 1);
          for (const one of missing)
            for (const other of missing)
              if (one !== other) expect(one.end <= other.start || other.end <= one.start).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("gives reasons: the models, the same text elsewhere, the dictionary, and how many models agree", () => {
    const lookUp = (sentence: Sentence) =>
      sentence.text.startsWith("then Eva") ? [{ start: 1, end: 2, types: ["PER"], dictionary: "names.tsv" }] : [];
    const { suspicions } = audited(
      [
        sentenceOf("then Eva left"),
        sentenceOf("so Eva came", { entities: [{ start: 1, end: 2, type: "PER" }] }),
        sentenceOf("no Eva there", { entities: [{ start: 1, end: 2, type: "PER" }] }),
        sentenceOf("Eva alone"),
      ],
      [[said(1, 2, [0, 0.6])], [said(1, 2, [0, 0.8])], [said(1, 2, [0, 0.8])], [said(0, 1, [0, 0.01])]],
      { lookUp, models: 3, least: 0 },
    );
    const [found] = suspicions.filter(({ document }) => document === 1);
    expect(found!.reasons).toEqual([
      "Models that have not seen the sentence give PER 0.60 here.",
      "In 3 other places this text is labelled PER 2×.",
      "names.tsv lists it as PER.",
      "1 of 3 models find it.",
    ]);
  });
});

describe("the gain of a decision", () => {
  it("is the expected number of errors times the square of their share, by hand", () => {
    expect(gainOf([0.5])).toBeCloseTo(0.5 * 0.25, 12);
    expect(gainOf([0.9, 0.7])).toBeCloseTo(1.6 * 0.8 ** 2, 12);
    // Ten sure copies are worth ten single ones; a hundred doubtful ones less than one that is sure.
    expect(gainOf(new Array(10).fill(1))).toBeCloseTo(10 * gainOf([1]), 12);
    expect(gainOf(new Array(100).fill(0.1))).toBeLessThan(gainOf([0.9]));
  });
});

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

function sentenceFrom(text: string, offsets: readonly number[]): Sentence {
  return annotate({ ...sentenceOf("x"), text, offsets: Int32Array.from(offsets) }, {});
}
