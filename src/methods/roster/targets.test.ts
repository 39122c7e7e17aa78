import { describe, expect, it } from "vitest";
import { itemsOf, rounded } from "../targets.suite.ts";
import { reweighted } from "./reweight.ts";
import { selfTargets } from "./self-targets.ts";

const two = { types: ["LOC", "PER"], typeOf: [-1, 0, 1] };

describe("labels that are weighed anew", () => {
  const items = itemsOf([
    { type: 0, row: [0.5, 0.45, 0.05] }, // 0.9 among the types
    { type: 0, row: [0.1, 0.5, 0.4] }, // 0.5556
    { type: 1, row: [0.2, 0.7, 0.1] }, // 0.125
    { type: 1, row: [0.8, 0.1, 0.1] }, // 0.5
    { type: -1, row: [0.8, 0.1, 0.1] },
    { type: -1, row: [0.7, 0.2, 0.1] },
  ]);

  it("train as some entity where their type is not trusted; silence that is not trusted is left out", () => {
    const { adjustments, doubted, left } = reweighted(items, two, { trust: 0.7, most: 1 });
    expect([doubted, left]).toEqual([3, 1]);
    expect(adjustments.map(({ sentence, weight, allowed }) => [sentence, weight, allowed])).toEqual([
      [1, 1, [1, 2]],
      [2, 1, [1, 2]],
      [3, 1, [1, 2]],
      [5, 0, undefined],
    ]);
  });

  it("stay where a type would lose too many of them", () => {
    // LOC would lose one of two, PER two of two.
    const { adjustments } = reweighted(items, two, { trust: 0.7, most: 0.9 });
    expect(adjustments.map(({ sentence }) => sentence)).toEqual([1, 5]);
    // Of silence one of two would be lost.
    expect(reweighted(items, two, { trust: 0.7, most: 0.4 })).toEqual({ adjustments: [], doubted: 0, left: 0 });
  });
});

describe("targets of a model for itself", () => {
  it("sharpen the types of sure entities, and leave it to the ensemble what is an entity", () => {
    const own = itemsOf([
      { type: 0, row: [0.1, 0.6, 0.3] },
      { type: 1, row: [0.05, 0.19, 0.76] },
      { type: -1, row: [0.5, 0.4, 0.1] },
    ]);
    const ensemble = itemsOf([
      { type: 0, row: [0.2, 0.4, 0.4] },
      { type: 1, row: [0.1, 0.1, 0.8] },
      { type: -1, row: [0.6, 0.2, 0.2] },
    ]);
    const { adjustments, sure } = selfTargets(own, ensemble, { entity: 0.8 });
    expect(sure).toBe(2);
    // Sums of types: 2/3 + 0.2 and 1/3 + 0.8. The first: 0.4444 / 0.8667 against 0.1111 / 1.1333.
    expect(adjustments.map(({ target }) => rounded(target))).toEqual([
      [0.2, 0.6716, 0.1284],
      [0.1, 0.068, 0.832],
      [0.6, 0.32, 0.08],
    ]);
  });
});
