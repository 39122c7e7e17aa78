import { describe, expect, it } from "vitest";
import { type Annotation, makeSentence, type Sentence, wholly } from "../text/index.ts";
import { tagSet } from "./tag-set.ts";
import { tokenItems } from "./token-items.ts";
import { tokenState, tokenStates } from "./token-states.ts";

const types = ["LOC", "PER"];
const { entity, negative, unknown, excluded } = tokenState;

function sentenceOf(length: number, annotation: Annotation = {}): Sentence {
  const offsets = Int32Array.from({ length: 2 * length }, (_, i) => (i >> 1) * 2 + (i % 2));
  return makeSentence("x ".repeat(length), offsets, annotation);
}

const statesOf = (length: number, annotation: Annotation): number[] => [
  ...tokenStates(sentenceOf(length, annotation), types).states,
];

describe("the states of tokens", () => {
  it("silence is unknown, whatever else the sentence says", () => {
    expect(statesOf(4, { entities: [{ start: 1, end: 3, type: "PER" }] })).toEqual([unknown, entity, entity, unknown]);
  });

  it("complete parts and rejected spans are negative, where no entity stands", () => {
    const entities = [{ start: 1, end: 2, type: "PER" }];
    expect(statesOf(3, { entities, complete: wholly(3) })).toEqual([negative, entity, negative]);
    expect(statesOf(4, { entities, rejected: [{ start: 0, end: 3 }] })).toEqual([negative, entity, negative, unknown]);
  });

  it("what is said of some types only leaves a token unknown", () => {
    expect(statesOf(2, { complete: wholly(2, ["PER"]), rejected: [{ start: 0, end: 1, type: "LOC" }] })).toEqual([
      unknown,
      unknown,
    ]);
    expect(statesOf(1, { complete: wholly(1, ["PER", "LOC", "ORG"]) })).toEqual([negative]);
  });

  it("unsure tokens are excluded, also in a complete part", () => {
    expect(statesOf(3, { complete: wholly(3), unsure: [{ start: 1, end: 3 }] })).toEqual([
      negative,
      excluded,
      excluded,
    ]);
  });

  it("of entities that overlap the longest stays, and what only the others hold trains nothing", () => {
    const entities = [
      { start: 0, end: 2, type: "PER" },
      { start: 1, end: 4, type: "LOC" },
      { start: 2, end: 3, type: "PER" },
      { start: 5, end: 6, type: "PER" },
    ];
    const { states, entities: kept, dropped } = tokenStates(sentenceOf(6, { entities }), types);
    expect([...states]).toEqual([excluded, entity, entity, entity, unknown, entity]);
    expect(kept).toEqual([entities[1], entities[3]]);
    expect(dropped).toBe(2);
  });
});

describe("items", () => {
  const tags = tagSet(types, "bio");

  it("leave out sentences without tokens and count what was dropped", () => {
    const overlapping = [
      { start: 0, end: 2, type: "PER" },
      { start: 1, end: 2, type: "LOC" },
    ];
    const train = [sentenceOf(0), sentenceOf(2, { entities: overlapping }), sentenceOf(1)];
    const { items, dropped } = tokenItems(
      { train, hidden: [[], [], [{ start: 0, end: 1, type: "PER" }]] },
      types,
      tags,
      [{ sentence: 2, token: 0 }],
    );
    expect(dropped).toBe(1);
    expect(items.map(({ id, place }) => [id, place.sentence])).toEqual([
      [0, 1],
      [1, 2],
    ]);
    expect(items.map(({ removed, hidden }) => [removed && [...removed], hidden && [...hidden]])).toEqual([
      [undefined, [0, 0]],
      [[1], [1]],
    ]);
  });

  it("of a long sentence are windows in which every token trains once, an entity across their border too", () => {
    const long = { start: 150, end: 260, type: "PER" };
    const { items } = tokenItems({ train: [sentenceOf(600, { entities: [long] })] }, types, tags, [
      { sentence: 0, token: 208 },
      { sentence: 0, token: 599 },
    ]);
    const trained = new Int8Array(600);
    for (const { place, states, tags: own, removed } of items) {
      states.forEach((state, i) => {
        const token = place.offset + i;
        if (state === excluded) {
          expect(removed![i]).toBe(0);
          return;
        }
        trained[token]!++;
        const inside = token >= long.start && token < long.end;
        expect(state).toBe(inside ? entity : unknown);
        expect(tags.tags[own[i]!]!.text).toBe(token === long.start ? "B-PER" : inside ? "I-PER" : "O");
        expect(removed![i]).toBe(token === 208 || token === 599 ? 1 : 0);
      });
    }
    expect(items.length).toBeGreaterThan(2);
    expect(trained.every((count) => count === 1)).toBe(true);
  });
});
