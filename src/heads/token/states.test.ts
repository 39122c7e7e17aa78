import { describe, expect, it } from "vitest";
import { type Annotation, itemState, makeSentence, type Sentence, typeSets, wholly } from "../../text/index.ts";
import { tokenItems } from "./items.ts";
import { tokenStates } from "./states.ts";
import { tagSet } from "./tag-set.ts";

const types = ["LOC", "PER"];
const { outside: negative, unknown, excluded } = itemState;
const [location, person] = [1, 2];
const sets = typeSets(types);

function sentenceOf(length: number, annotation: Annotation = {}): Sentence {
  const offsets = Int32Array.from({ length: 2 * length }, (_, i) => (i >> 1) * 2 + (i % 2));
  return makeSentence("x ".repeat(length), offsets, annotation);
}

const statesOf = (length: number, annotation: Annotation): number[] => [
  ...tokenStates(sentenceOf(length, annotation), sets).states,
];

describe("the states of tokens", () => {
  it("silence is unknown, whatever else the sentence says", () => {
    expect(statesOf(4, { entities: [{ start: 1, end: 3, type: "PER" }] })).toEqual([unknown, person, person, unknown]);
  });

  it("complete parts and rejected spans are negative, where no entity stands", () => {
    const entities = [{ start: 1, end: 2, type: "PER" }];
    expect(statesOf(3, { entities, complete: wholly(3) })).toEqual([negative, person, negative]);
    expect(statesOf(4, { entities, rejected: [{ start: 0, end: 3 }] })).toEqual([negative, person, negative, unknown]);
  });

  it("what is said of some types excludes these, and together with others all of them", () => {
    const noPerson = -1 - sets.number(["PER"]);
    expect(statesOf(2, { complete: wholly(2, ["PER"]), rejected: [{ start: 0, end: 1, type: "LOC" }] })).toEqual([
      negative,
      noPerson,
    ]);
    expect(statesOf(3, { rejected: [{ start: 0, end: 2, type: "PER" }] })).toEqual([noPerson, noPerson, unknown]);
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
    const { states, entities: kept, dropped } = tokenStates(sentenceOf(6, { entities }), sets);
    expect([...states]).toEqual([excluded, location, location, location, unknown, person]);
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
      {
        sentences: train,
        hidden: [[], [], [{ start: 0, end: 1, type: "PER" }]],
        adjustments: [{ sentence: 2, start: 0, end: 1, weight: 0 }],
      },
      sets,
      tags,
    );
    expect(dropped).toBe(1);
    expect(items.map(({ id, sentence }) => [id, sentence.offsets.length / 2])).toEqual([
      [0, 2],
      [1, 1],
    ]);
    expect(items.map(({ adjusted, hidden }) => [adjusted && [...adjusted.keys()], hidden && [...hidden]])).toEqual([
      [undefined, [0, 0]],
      [[0], [1]],
    ]);
  });

  it("of a long sentence are windows in which every token trains once, an entity across their border too", () => {
    const long = { start: 150, end: 260, type: "PER" };
    const sentence = sentenceOf(600, { entities: [long] });
    const adjustments = [208, 599].map((start) => ({ sentence: 0, start, end: start + 1, weight: 0 }));
    const { items } = tokenItems({ sentences: [sentence], adjustments }, sets, tags);
    const trained = new Int8Array(600);
    for (const { sentence: piece, states, tags: own, adjusted } of items) {
      states.forEach((state, i) => {
        const token = piece.offsets[0]! / 2 + i;
        if (state === excluded) {
          expect(adjusted!.has(i)).toBe(false);
          return;
        }
        trained[token]!++;
        const inside = token >= long.start && token < long.end;
        expect(state).toBe(inside ? person : unknown);
        expect(tags.tags[own[i]!]!.text).toBe(token === long.start ? "B-PER" : inside ? "I-PER" : "O");
        expect(adjusted!.has(i)).toBe(token === 208 || token === 599);
      });
    }
    expect(items.length).toBeGreaterThan(2);
    expect(trained.every((count) => count === 1)).toBe(true);
  });
});
