import { describe, expect, it } from "vitest";
import type { ItemScores } from "../../heads/index.ts";
import { type Annotation, type Entity, makeSentence, type Sentence } from "../../text/index.ts";
import { type RelabelCounts, relabel } from "./relabel.ts";
import { teachingOf } from "./teaching.ts";

const thresholds = { keep: 0.3, sure: 0.9, outside: 0.8, entity: 0.7 };
const labels = { types: ["LOC", "PER"], typeOf: [-1, 0, 1] };

/** A sentence of six one-letter tokens. */
function sentenceOf(annotation: Annotation): Sentence {
  return makeSentence(
    "a b c d e f",
    Int32Array.from({ length: 12 }, (_, i) => i + (i >> 1)),
    annotation,
  );
}

/** Token by token the probabilities of LOC and PER; the rest is O's. */
function tokenScores(rows: readonly (readonly [loc: number, per: number])[]): ItemScores {
  const logProbs = Float32Array.from(rows.flatMap(([loc, per]) => [1 - loc - per, loc, per].map(Math.log)));
  return {
    items: {
      size: rows.length,
      starts: () => Int32Array.from(rows.keys()),
      ends: () => Int32Array.from(rows.keys(), (token) => token + 1),
    },
    logProbs,
    logits: logProbs,
  };
}

function relabelled(
  annotation: Annotation,
  rows: readonly (readonly [number, number])[],
  predicted: readonly Entity[] = [],
): { readonly sentence: Sentence; readonly counts: RelabelCounts } {
  const counts: RelabelCounts = { kept: 0, replaced: 0, completed: 0, leftOut: 0 };
  const all = Array.from({ length: 6 }, (_, i) => rows[i] ?? ([0.01, 0.01] as const));
  const teaching = teachingOf([{ scores: tokenScores(all), predicted }], labels);
  return { sentence: relabel(sentenceOf(annotation), teaching, thresholds, counts), counts };
}

const none = { kept: 0, replaced: 0, completed: 0, leftOut: 0 };
const given: Entity = { start: 0, end: 2, type: "PER" };
const shown = ({ entities }: Sentence): string[] => entities.map(({ start, end, type }) => `${start} ${end} ${type}`);

describe("a given label", () => {
  it("stays when its least sure token has enough of its type", () => {
    const { sentence, counts } = relabelled({ entities: [given] }, [
      [0.1, 0.8],
      [0.4, 0.31],
    ]);
    expect(shown(sentence)).toEqual(["0 2 PER"]);
    expect(sentence.unsure).toEqual([]);
    expect(counts).toEqual({ ...none, kept: 1 });
  });

  it("gives way to an entity that the teachers are sure of", () => {
    const found = { start: 0, end: 2, type: "LOC", score: 0.95 };
    const rows = [
      [0.95, 0.02],
      [0.95, 0.02],
    ] as const;
    const { sentence, counts } = relabelled({ entities: [given] }, rows, [found]);
    expect(shown(sentence)).toEqual(["0 2 LOC"]);
    expect(sentence.entities[0]!.provenance).toEqual({ source: "self-train" });
    expect(counts).toEqual({ ...none, replaced: 1 });
  });

  it("gives way to nothing when the teachers are sure of that", () => {
    const { sentence, counts } = relabelled({ entities: [given] }, [
      [0.01, 0.05],
      [0.01, 0.05],
    ]);
    expect(shown(sentence)).toEqual([]);
    expect(sentence.unsure).toEqual([]);
    expect(counts).toEqual({ ...none, replaced: 1 });
  });

  it("does not train when the teachers doubt it and are sure of nothing else", () => {
    const { sentence, counts } = relabelled({ entities: [given] }, [
      [0.5, 0.2],
      [0.5, 0.2],
    ]);
    expect(shown(sentence)).toEqual([]);
    expect(sentence.unsure).toEqual([{ start: 0, end: 2 }]);
    expect(counts).toEqual({ ...none, leftOut: 1 });
  });

  it("that a person accepted in a review stays whatever the teachers say", () => {
    const accepted = { ...given, provenance: { source: "review" } };
    const { sentence, counts } = relabelled({ entities: [accepted] }, []);
    expect(sentence.entities).toEqual([accepted]);
    expect(counts).toEqual({ ...none, kept: 1 });
  });

  it("in a part that was declared complete for its type stays whatever the teachers say", () => {
    const complete = [{ start: 0, end: 3, types: ["PER"] }];
    expect(shown(relabelled({ entities: [given], complete }, []).sentence)).toEqual(["0 2 PER"]);
    const other = [{ start: 0, end: 3, types: ["LOC"] }];
    expect(shown(relabelled({ entities: [given], complete: other }, []).sentence)).toEqual([]);
  });
});

describe("silence", () => {
  const rows = [
    [0.01, 0.01],
    [0.01, 0.01],
    [0.02, 0.9],
    [0.02, 0.75],
  ] as const;
  const found = { start: 2, end: 4, type: "PER", score: 0.75 };

  it("becomes an entity that is probable enough", () => {
    const { sentence, counts } = relabelled({}, rows, [found]);
    expect(shown(sentence)).toEqual(["2 4 PER"]);
    expect(counts).toEqual({ ...none, completed: 1 });
  });

  it("does not train where an entity is possible, nor where O is not sure", () => {
    const { sentence, counts } = relabelled({}, [...rows, [0.3, 0]], [{ ...found, score: 0.6 }]);
    expect(shown(sentence)).toEqual([]);
    expect(sentence.unsure).toEqual([
      { start: 2, end: 4 },
      { start: 4, end: 5 },
    ]);
    expect(counts).toEqual({ ...none, leftOut: 2 });
  });

  it.each<[string, Annotation]>([
    ["a part that is complete", { complete: [{ start: 0, end: 6 }] }],
    ["a part that is complete for the type", { complete: [{ start: 3, end: 4, types: ["PER"] }] }],
    ["a rejected span", { rejected: [{ start: 2, end: 4 }] }],
    ["a span rejected for the type", { rejected: [{ start: 2, end: 4, type: "PER" }] }],
    ["an unsure span", { unsure: [{ start: 2, end: 4 }] }],
  ])("stays silence in %s", (_, annotation) => {
    expect(shown(relabelled(annotation, rows, [found]).sentence)).toEqual([]);
  });
});

describe("spans as items", () => {
  it("are asked themselves, and one too wide to be an item stays", () => {
    const spans = [
      { start: 0, end: 1 },
      { start: 0, end: 2 },
      { start: 1, end: 2 },
    ];
    const logProbs = Float32Array.from([0.98, 0.01, 0.01, 0.2, 0.1, 0.7, 0.98, 0.01, 0.01], Math.log);
    const scores: ItemScores = {
      items: {
        size: 3,
        starts: () => Int32Array.from(spans, ({ start }) => start),
        ends: () => Int32Array.from(spans, ({ end }) => end),
      },
      logProbs,
      logits: logProbs,
    };
    const wide = { start: 2, end: 6, type: "LOC" };
    const counts = { ...none };
    const result = relabel(
      sentenceOf({ entities: [given, wide] }),
      teachingOf([{ scores, predicted: [] }], labels),
      thresholds,
      counts,
    );
    expect(shown(result)).toEqual(["0 2 PER", "2 6 LOC"]);
    expect(counts).toEqual({ ...none, kept: 2 });
  });
});

describe("several teachers", () => {
  const rows = (per: number): ItemScores => tokenScores(Array.from({ length: 6 }, () => [0, per] as const));
  const found = (start: number, end: number, score: number): Entity => ({ start, end, type: "PER", score });

  it("are asked for the mean of what they say", () => {
    const { probability, outside } = teachingOf(
      [
        { scores: rows(0.2), predicted: [] },
        { scores: rows(0.6), predicted: [] },
      ],
      labels,
    );
    expect(probability(given)).toBeCloseTo(0.4, 6);
    expect(outside({ start: 3, end: 4 })).toBeCloseTo(0.6, 6);
  });

  it("predict what half of them predict, and of two that overlap the one with more votes", () => {
    const scores = rows(0.5);
    const { predicted } = teachingOf(
      [
        { scores, predicted: [found(0, 2, 0.6), found(4, 5, 0.9)] },
        { scores, predicted: [found(0, 2, 0.8), found(3, 4, 0.9)] },
        { scores, predicted: [found(1, 2, 0.9), found(3, 4, 0.7)] },
      ],
      labels,
    );
    expect(predicted.map(({ start, end }) => [start, end])).toEqual([
      [0, 2],
      [3, 4],
    ]);
    expect(predicted.map(({ score }) => score)).toEqual([0.7, 0.8].map((score) => expect.closeTo(score, 9)));
  });
});
