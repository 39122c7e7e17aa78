import { describe, expect, it } from "vitest";
import { nameOf } from "./grid.ts";
import { chosenRuns } from "./select.ts";
import { makeStudy, runsOf } from "./study.suite.ts";

describe("chosen runs", () => {
  const runs = runsOf(makeStudy());

  it("have one of the values on each axis that is named; without a filter they are all", () => {
    expect(chosenRuns(runs, ["method=uniform", "rate=0.5,0.8", "seed=2"]).map(nameOf)).toEqual([
      "toy, uniform, rate 0.5, seed 2",
      "toy, uniform, rate 0.8, seed 2",
    ]);
    expect(chosenRuns(runs, [])).toEqual(runs);
  });

  it("may have values with commas in them", () => {
    const methods = { ce: { method: "ce" }, "ce, long": { method: "ce", epochs: 9 }, long: { method: "uniform" } };
    const named = runsOf(makeStudy({ axes: { method: methods }, rates: [0.5], seeds: [1] }));
    const chosen = (filter: string) => chosenRuns(named, [filter]).map(({ place }) => place.method);
    expect(chosen("method=ce, long")).toEqual(["ce, long"]);
    expect(chosen("method=long,ce, long")).toEqual(["ce, long", "long"]);
    expect(chosen("method=ce,long")).toEqual(["ce", "long"]);
  });

  it.each([
    ["methd=ce", '--only: unknown axis "methd" (known: data, method, rate, seed)'],
    ["method=cee", '--only: method has no value "cee" (known: ce, uniform)'],
    ["ce", '--only: expected AXIS=VALUE, such as seed=1, got "ce"'],
  ])("are not chosen by %s", (filter, message) => {
    expect(() => chosenRuns(runs, [filter])).toThrow(message);
  });
});
