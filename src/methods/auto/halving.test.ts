import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Contender, epochsFor, fullEpochs, planHalving, ranking, ready, survivors } from "./halving.ts";

const plain = (name: string): Contender => ({ name, cost: { fixed: 0, each: 1 }, longest: 8, goesOn: true });
const four = ["a", "b", "c", "d"].map(plain);

/** Two epochs of plain training before its first own one, which costs half as much as theirs. */
const dear: Contender = { name: "dear", cost: { fixed: 2, each: 0.5 }, longest: 8, goesOn: false };

describe("a plan of halving", () => {
  it("doubles the work, halves the candidates and spends no more than it has", () => {
    // Four for e epochs and two for as many again: 6e.
    expect(planHalving(four, { total: 20, start: 0, epochs: 8 })).toEqual({
      names: ["a", "b", "c", "d"],
      rungs: [
        { work: 3, size: 4 },
        { work: 6, size: 2 },
      ],
      cost: 18,
    });
  });

  it("lets a dear candidate wait for a comparison of its cost, and counts starts and trials that start anew", () => {
    const three = [plain("a"), plain("b"), dear];
    // Two for an epoch: 2 starts and 2. Then the better one for three epochs, two of them new, and the dear one for one: 2 starts, 2 and 2.5.
    expect(planHalving(three, { total: 13.9, start: 1, epochs: 8 })).toEqual({
      names: ["a", "b", "dear"],
      rungs: [
        { work: 1, size: 2 },
        { work: 2.5, size: 2 },
      ],
      cost: 10.5,
    });
    // Two for two epochs: 6. Then two more epochs of one, and four of the dear one: 3 and 5.
    expect(planHalving(three, { total: 14, start: 1, epochs: 8 })).toMatchObject({
      rungs: [
        { work: 2, size: 2 },
        { work: 4, size: 2 },
      ],
      cost: 14,
    });
  });

  it("begins with the work of the second cheapest", () => {
    expect(planHalving([plain("a"), dear], { total: 5.9, start: 0, epochs: 8 })).toMatchObject({
      rungs: [{ work: 2.5, size: 2 }],
      cost: 5.5,
    });
  });

  it("leaves out what it has no time for, and takes cheaper ones behind it", () => {
    expect(planHalving([plain("a"), dear, plain("b")], { total: 5, start: 0, epochs: 8 })).toMatchObject({
      names: ["a", "b"],
      rungs: [{ work: 2, size: 2 }],
    });
  });

  describe("where labels are wrong", () => {
    const each = (name: string, each: number, fixed = 0): Contender => ({
      ...plain(name),
      cost: { fixed, each },
      goesOn: fixed === 0,
    });
    const wrongLabels = [
      { ...plain("ce"), control: true },
      ...[each("bond", 0.8, 4.2), plain("uniform"), each("tagger", 0.7), each("self-train", 2), each("gce", 0.7)],
      each("two-step", 0.8, 2),
    ];
    const namesFor = (total: number): string =>
      planHalving(wrongLabels, { total, start: 0, epochs: 12 })!.names.join(", ");

    it("lets no dear candidate crowd out the cheap ones", () => {
      // With bond, two cheap ones and the control: three for an epoch (2.7), then bond with two of them for five: 5, 4 and 4.2.
      expect(namesFor(13)).toBe("ce, uniform, tagger, self-train");
      expect(namesFor(15.8)).toBe("ce, uniform, tagger, self-train, gce");
      expect(namesFor(15.9)).toBe("ce, bond, uniform, tagger");
    });

    it("takes them in their order where there is time", () => {
      expect(namesFor(24)).toBe("ce, bond, uniform, tagger, self-train");
      expect(namesFor(48)).toBe("ce, bond, uniform, tagger, self-train, gce");
      expect(namesFor(96)).toBe("ce, bond, uniform, tagger, self-train, gce, two-step");
    });

    it("takes a dear candidate where no other would fit beside the control anyway", () => {
      const two = wrongLabels.slice(0, 2);
      expect(planHalving(two, { total: 10, start: 0, epochs: 12 })!.names).toEqual(["ce", "bond"]);
    });
  });

  it("halves the candidates beside a control, which takes no place of theirs", () => {
    const held = [{ ...plain("control"), control: true }, ...four];
    // Five for an epoch, the control and two for one more.
    expect(planHalving(held, { total: 9, start: 0, epochs: 8 })).toMatchObject({
      rungs: [
        { work: 1, size: 5 },
        { work: 2, size: 3 },
      ],
      cost: 8,
    });
  });

  it("never tries longer than the full training", () => {
    expect(planHalving(four, { total: 1000, start: 0, epochs: 5 })!.rungs).toEqual([{ work: 5, size: 4 }]);
  });

  it("leaves the last candidates out where time is short, and gives up below two", () => {
    expect(planHalving(four, { total: 5, start: 0, epochs: 8 })).toMatchObject({
      names: ["a", "b", "c"],
      rungs: [
        { work: 1, size: 3 },
        { work: 2, size: 2 },
      ],
    });
    expect(planHalving(four, { total: 2, start: 0, epochs: 8 })!.names).toEqual(["a", "b"]);
    expect(planHalving(four, { total: 1.9, start: 0, epochs: 8 })).toBeUndefined();
  });

  it("costs what its comparisons cost when the dearest always get on, and no more than the time", () => {
    const contender = fc.record({
      name: fc.string(),
      cost: fc.record({ fixed: fc.integer({ min: 0, max: 6 }), each: fc.integer({ min: 1, max: 4 }) }),
      longest: fc.integer({ min: 1, max: 9 }),
      goesOn: fc.boolean(),
    });
    const contenders = fc.uniqueArray(contender, { selector: ({ name }) => name, minLength: 2, maxLength: 7 });
    const budget = {
      total: fc.integer({ min: 1, max: 200 }),
      start: fc.integer({ min: 0, max: 2 }),
      epochs: fc.integer({ min: 1, max: 9 }),
    };
    fc.assert(
      fc.property(contenders, fc.record(budget), (all, budget) => {
        const plan = planHalving(all, budget);
        if (!plan) return;
        const chosen = all.filter(({ name }) => plan.names.includes(name));
        let spent = 0;
        let left: Contender[] = [];
        plan.rungs.forEach(({ work, size }, i) => {
          const before = plan.rungs[i - 1]?.work;
          const able = chosen.filter(({ cost }) => cost.fixed + cost.each <= work);
          const costs = able.map((each) => {
            const now = each.cost.fixed + each.cost.each * epochsFor(each, work);
            const had = before !== undefined && each.cost.fixed + each.cost.each <= before;
            const earlier = had && each.goesOn ? each.cost.fixed + each.cost.each * epochsFor(each, before) : 0;
            return budget.start + now - earlier;
          });
          spent += costs
            .sort((a, b) => b - a)
            .slice(0, size)
            .reduce((sum, cost) => sum + cost, 0);
          left = able;
        });
        expect(left).toEqual(chosen);
        expect(plan.cost).toBe(spent);
        expect(spent).toBeLessThanOrEqual(budget.total);
        expect(ready(chosen, plan.rungs.at(-1)!)).toEqual(chosen);
      }),
    );
  });
});

describe("the epochs of a candidate", () => {
  it("cost what the comparison is to cost, at least one and no more than its full training has", () => {
    expect([1, 2.5, 3, 4, 7].map((work) => epochsFor(dear, work))).toEqual([1, 1, 2, 4, 8]);
    // What learns from a third of the text has three epochs where others have one.
    const part = { ...plain("part"), cost: { fixed: 0, each: 1 / 3 }, longest: 24 };
    expect([1, 2, 9].map((work) => epochsFor(part, work))).toEqual([3, 6, 24]);
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
    let scores = left.map((name) => ({ name, f1: table[name]![rungs[0]!.work]! }));
    for (const { work, size } of rungs.slice(1)) {
      left = survivors(scores, size, ["a"]);
      scores = left.map((name) => ({ name, f1: table[name]![work]! }));
    }
    expect(left).toEqual(["b", "a"]);
    expect(ranking(scores)).toEqual(["b", "a"]);
  });
});

describe("the full training", () => {
  it("has the epochs that its share of the time allows, at least those of the trial", () => {
    expect(fullEpochs({ ...dear, longest: 20 }, 8, 2)).toBe(12);
    expect(fullEpochs({ ...dear, longest: 10 }, 8, 2)).toBe(10);
    expect(fullEpochs({ ...dear, longest: 10 }, 3, 4)).toBe(4);
  });
});
