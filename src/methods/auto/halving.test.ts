import { describe, expect, it } from "vitest";
import { type Contender, fullEpochs, planHalving, ranking, survivors } from "./halving.ts";

const plain = (name: string): Contender => ({ name, cost: { fixed: 0, each: 1 }, goesOn: true });
const four = ["a", "b", "c", "d"].map(plain);

describe("a plan of halving", () => {
  it("doubles the epochs, halves the candidates and spends no more than it has", () => {
    // Four for e epochs and two for as many again: 6e.
    expect(planHalving(four, { total: 20, start: 0, epochs: 8 })).toEqual({
      names: ["a", "b", "c", "d"],
      rungs: [
        { epochs: 3, size: 4 },
        { epochs: 6, size: 2 },
      ],
      cost: 18,
    });
  });

  it("counts starts, what a method costs before its first epoch, and trials that start anew", () => {
    const dear = { name: "dear", cost: { fixed: 2, each: 0.5 }, goesOn: false };
    const three = [plain("a"), plain("b"), dear];
    // One epoch: 3 starts, 1 + 1 + 2.5. Two of three for two epochs: 2 starts, 1 and 3.
    expect(planHalving(three, { total: 13.5, start: 1, epochs: 8 })).toMatchObject({
      rungs: [
        { epochs: 1, size: 3 },
        { epochs: 2, size: 2 },
      ],
      cost: 13.5,
    });
  });

  it("halves the candidates beside a control, which takes no place of theirs", () => {
    const held = [{ ...plain("control"), control: true }, ...four];
    // Five for an epoch, the control and two for one more.
    expect(planHalving(held, { total: 9, start: 0, epochs: 8 })).toMatchObject({
      rungs: [
        { epochs: 1, size: 5 },
        { epochs: 2, size: 3 },
      ],
      cost: 8,
    });
  });

  it("never tries longer than the full training", () => {
    expect(planHalving(four, { total: 1000, start: 0, epochs: 5 })!.rungs).toEqual([{ epochs: 5, size: 4 }]);
  });

  it("leaves the last candidates out where time is short, and gives up below two", () => {
    expect(planHalving(four, { total: 5, start: 0, epochs: 8 })).toMatchObject({
      names: ["a", "b", "c"],
      rungs: [
        { epochs: 1, size: 3 },
        { epochs: 2, size: 2 },
      ],
    });
    expect(planHalving(four, { total: 2, start: 0, epochs: 8 })!.names).toEqual(["a", "b"]);
    expect(planHalving(four, { total: 1.9, start: 0, epochs: 8 })).toBeUndefined();
  });
});

describe("the decisions of halving", () => {
  const scored = [
    { name: "a", f1: 0.5 },
    { name: "b", f1: 0.7 },
    { name: "c", f1: 0.7 },
    { name: "d", f1: null },
    { name: "e", f1: 0.6 },
  ];

  it("let the best get on, of equals the earlier, and none that failed", () => {
    expect(ranking(scored)).toEqual(["b", "c", "e", "a"]);
    expect(survivors(scored, 2)).toEqual(["b", "c"]);
    expect(survivors(scored, 5)).toEqual(["b", "c", "e", "a"]);
  });

  it("keep the control to the end, unless it failed", () => {
    expect(survivors(scored, 2, ["a"])).toEqual(["b", "a"]);
    expect(survivors(scored, 2, ["b"])).toEqual(["b", "c"]);
    expect(survivors(scored, 3, ["e"])).toEqual(["b", "c", "e"]);
    expect(survivors(scored, 2, ["d"])).toEqual(["b", "c"]);
  });

  it("find the best of a table of scores by epochs, as a hand does", () => {
    const table: Record<string, Record<number, number>> = {
      a: { 3: 0.4, 6: 0.5 },
      b: { 3: 0.6, 6: 0.61 },
      c: { 3: 0.55, 6: 0.8 },
      d: { 3: 0.59, 6: 0.7 },
    };
    const { names, rungs } = planHalving(four, { total: 20, start: 0, epochs: 8 })!;
    let left = [...names];
    let scores = left.map((name) => ({ name, f1: table[name]![rungs[0]!.epochs]! }));
    for (const { epochs, size } of rungs.slice(1)) {
      left = survivors(scores, size, ["a"]);
      scores = left.map((name) => ({ name, f1: table[name]![epochs]! }));
    }
    expect(left).toEqual(["b", "a"]);
    expect(ranking(scores)).toEqual(["b", "a"]);
  });
});

describe("the full training", () => {
  it("has the epochs that its share of the time allows, at least those of the trial", () => {
    const contender = { name: "x", cost: { fixed: 2, each: 0.5 }, goesOn: false };
    expect(fullEpochs(contender, 8, 2, 20)).toBe(12);
    expect(fullEpochs(contender, 8, 2, 10)).toBe(10);
    expect(fullEpochs(contender, 3, 4, 10)).toBe(4);
  });
});
