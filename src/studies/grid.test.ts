import { describe, expect, it } from "vitest";
import { nameOf, plannedRuns } from "./grid.ts";
import { assertLayout } from "./open-study.ts";
import { makeStudy, runsOf } from "./study.suite.ts";

describe("the runs of a study", () => {
  it("are the product of its axes, data first and seeds last, the last axis changing fastest", () => {
    expect(runsOf(makeStudy()).map(nameOf)).toEqual([
      "toy, ce, rate 0.5, seed 1",
      "toy, ce, rate 0.5, seed 2",
      "toy, ce, rate 0.8, seed 1",
      "toy, ce, rate 0.8, seed 2",
      "toy, uniform, rate 0.5, seed 1",
      "toy, uniform, rate 0.5, seed 2",
      "toy, uniform, rate 0.8, seed 1",
      "toy, uniform, rate 0.8, seed 2",
    ]);
  });

  it("are products of groups where there are some, each run once: named values, all of the others, none of an empty list", () => {
    const study = makeStudy({
      groups: [
        { method: "ce", seed: 1 },
        { method: ["uniform"], rate: [], seed: [2] },
        { method: "ce", rate: 0.8 },
      ],
    });
    expect(runsOf(study).map(nameOf)).toEqual([
      "toy, ce, rate 0.5, seed 1",
      "toy, ce, rate 0.8, seed 1",
      "toy, uniform, seed 2",
      "toy, ce, rate 0.8, seed 2",
    ]);
  });

  it("have the settings of the study, over them those of the data, then those of the axes in their order", () => {
    const study = makeStudy({
      data: { toy: { folder: "toy", settings: { epochs: 4, decay: 0.5, clip: 2 } } },
      axes: {
        encoder: { small: { decay: 0.25, clip: 3, encoder: { units: 8 } } },
        clip: { setting: "clip", values: [7] },
        dropout: { setting: "encoder.dropout", values: [0, 0.5] },
      },
      seeds: [4],
      rates: [],
    });
    const [first, second] = runsOf(study);
    expect(first!.place).toEqual({ data: "toy", encoder: "small", clip: "7", dropout: "0", seed: "4" });
    expect(first!.settings).toMatchObject({ method: "uniform", epochs: 4, decay: 0.25, clip: 7, seed: 4 });
    expect(second!.settings.encoder).toMatchObject({ units: 8, dropout: 0.5 });
    expect(first!.masking).toBeNull();
  });

  it("hide annotations as the study says, with the rate of the run", () => {
    const study = makeStudy({ masking: { by: "surface", seed: 9 } });
    expect(runsOf(study)[2]!.masking).toEqual({ by: "surface", seed: 9, rate: 0.8 });
  });

  it("hide annotations as the data say, where they say it", () => {
    const data = { mentions: { folder: "toy" }, names: { folder: "toy", masking: { by: "surface" as const } } };
    const runs = runsOf(makeStudy({ data, axes: {}, rates: [0.5], seeds: [1], masking: { seed: 9 } }));
    expect(runs.map(({ masking }) => masking)).toEqual([
      { by: "mention", seed: 9, rate: 0.5 },
      { by: "surface", seed: 9, rate: 0.5 },
    ]);
  });

  it("read the files of a folder, or those that are named, with what silence means in each", () => {
    const study = makeStudy({
      data: {
        plain: "some/where",
        named: { train: ["a.conll", { file: "b.conll", silence: "negative" }], dev: "c/d.conll", test: "e.conll" },
      },
    });
    const runs = runsOf(study);
    expect(runs[0]!.files).toEqual({
      train: [{ file: "some/where/train.conll", silence: "unknown" }],
      dev: "some/where/dev.conll",
      test: "some/where/test.conll",
    });
    expect(runs.at(-1)!.files).toEqual({
      train: [
        { file: "a.conll", silence: "unknown" },
        { file: "b.conll", silence: "negative" },
      ],
      dev: "c/d.conll",
      test: "e.conll",
    });
  });
});

describe("a study is refused in one line with file and path", () => {
  it.each<[string, Parameters<typeof makeStudy>[0], string | RegExp]>([
    ["an unknown key", { rate: [1] } as object, 'study.yaml: not a study: unknown "rate"'],
    ["a wrong type", { seeds: ["one"] } as object, 'study.yaml: not a study: seeds.0: expected number, got "one"'],
    ["a rate above 1", { rates: [2] }, "study.yaml: not a study: rates.0: expected number to be <=1, got 2"],
    [
      "data without files",
      { data: { toy: { train: "a.conll" } } },
      'study.yaml: not a study: data.toy: expected a folder, or the files train, dev and test, got {"train":"a.conll"}',
    ],
    [
      "an axis with a name that is taken",
      { axes: { seed: { x: {} } } },
      /axes\.seed: expected another name, every study has this axis, got/,
    ],
    [
      "an unknown axis in a group",
      { groups: [{}, { methd: "ce" }] },
      'study.yaml: not a study: groups.1: unknown axis "methd" (known: data, method, rate, seed)',
    ],
    [
      "an unknown value in a group",
      { groups: [{ method: "cee" }] },
      'study.yaml: not a study: groups.0.method: unknown "cee" (known: ce, uniform)',
    ],
    [
      "a group without a seed",
      { groups: [{ seed: [] }] },
      "study.yaml: not a study: groups.0.seed: every run needs one, got none",
    ],
    [
      "an unknown axis in a table",
      { tables: [{ title: "T", rows: ["method"], columns: ["rat"] }] },
      'study.yaml: not a study: tables.0.columns: unknown axis "rat" (known: data, method, rate, seed)',
    ],
    [
      "an unknown value beside a published figure",
      {
        tables: [
          { title: "T", rows: ["method"], paper: [{ source: "P", encoder: "E", row: { method: "cee" }, values: {} }] },
        ],
      },
      'study.yaml: not a study: tables.0.paper.0.row.method: unknown "cee" (known: ce, uniform)',
    ],
    [
      "an unknown axis in a figure",
      { figures: [{ name: "f", title: "F", x: "epoch", series: ["kind"] }] },
      'study.yaml: not a study: figures.0.series: unknown axis "kind" (known: data, method, rate, seed)',
    ],
    [
      "an unknown setting",
      { settings: { epoch: 3 } },
      /^study\.yaml: run toy, ce, rate 0\.5, seed 1: unknown setting "epoch" \(known: method, .*\)$/,
    ],
  ])("%s", (_, parts, message) => {
    const open = () => {
      const study = makeStudy(parts);
      plannedRuns(study, "study.yaml");
      assertLayout(study, "study.yaml");
    };
    expect(open).toThrow(message);
  });
});
