import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Folder, makeFolder, outcomeOf, run, start, until } from "./lacuna.ts";
import { corpus } from "./tiny.ts";

const study = `
title: A tiny study
purpose: To be run in a test.
dataFolder: .
data:
  toy: { train: corpus.conll, dev: corpus.conll, test: corpus.conll, title: Toy }
settings:
  encoder: { name: bilstm, units: 16, wordWidth: 16, dropout: 0.1 }
  epochs: 2
  rate: 0.02
  batchTokens: 64
  model: { hidden: 16 }
axes:
  method:
    ce: { method: ce }
    uniform: { method: uniform }
rates: [0.5]
seeds: [1, 2]
tables:
  - title: Test F1
    rows: [method]
    columns: [rate]
    baseline: { method: ce }
    paper: [{ source: A paper, encoder: BERT, row: { method: ce }, values: { 0.5: 12.5 } }]
figures:
  - { name: by-epoch, title: Dev F1, x: epoch, y: dev.f1, series: [method] }
`;

function files(text = study): Folder {
  const folder = makeFolder({ "corpus.conll": corpus });
  mkdirSync(join(folder.path, "toy"));
  folder.write("toy/study.yaml", text);
  return folder;
}

interface StoredResult {
  readonly place: Readonly<Record<string, string>>;
  readonly test: { readonly f1: number };
}

function results(folder: Folder, out = "out"): StoredResult[] {
  return folder
    .read(`${out}/results.jsonl`)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Results without what depends on the machine and the hour, in an order of their own. */
function figures(folder: Folder, out: string): string[] {
  const plain = results(folder, out).map((result) => ({ ...result, date: "", seconds: 0, memory: 0 }));
  return plain.map((result) => JSON.stringify(result)).sort();
}

describe("experiment", () => {
  it("takes the labels of a file away that is to be unlabelled text", async () => {
    const train = "[{ file: corpus.conll, part: [1, 2] }, { file: corpus.conll, part: [2, 2], silence: unlabelled }]";
    const folder = files(
      study
        .replace("train: corpus.conll", `train: ${train}`)
        .replace("uniform: { method: uniform }", "bare: { method: self-train, selfTrain: { folds: 2 } }")
        .replace("rates: [0.5]", "")
        .replace("seeds: [1, 2]", "groups: [{ method: bare }]")
        .replace("columns: [rate]", "")
        .replace(/ {4}paper: .*\n/, "")
        .replace(/ {4}baseline: .*\n/, ""),
    );
    expect(await run(folder, ["experiment", "toy", "--out", "out", "--keep"])).toMatchObject({ code: 0 });
    const [stored] = results(folder);
    expect(stored).toMatchObject({ train: { sentences: 27 }, files: { train: [{}, { silence: "unlabelled" }] } });
    const [key] = readdirSync(join(folder.path, "out", "runs"));
    const labels = folder.read(`out/runs/${key}/model/labels-1.jsonl`).trimEnd().split("\n");
    expect(labels).toHaveLength(54);
  });

  it("runs a study, stores its results, writes tables and figures, and repeats nothing", async () => {
    const folder = files();
    const first = await run(folder, ["experiment", "toy", "--out", "out", "--jobs", "2"]);
    expect(first.stderr).toMatch(/^toy, ce, rate 0\.5, seed 1: begins\n/);
    expect(first.stderr).toMatch(
      /toy, uniform, rate 0\.5, seed 2: test F1 \d+\.\d\d % after epoch \d, 0:\d\d \(\d of 4\)\n/,
    );
    expect(first.stderr).toMatch(/out\/tables\.md: written, with 1 figure as SVG\n$/);
    expect(first).toMatchObject({ code: 0, stdout: "" });
    expect(readdirSync(join(folder.path, "out")).sort()).toEqual([
      "by-epoch.svg",
      "results.jsonl",
      "runs",
      "tables.md",
    ]);
    expect(readdirSync(join(folder.path, "out", "runs"))).toEqual([]);

    const stored = results(folder);
    expect(stored).toHaveLength(4);
    expect(stored[0]).toMatchObject({
      study: "toy",
      settings: { method: expect.any(String), clip: 5 },
      masking: { by: "mention", rate: 0.5, seed: 1 },
      files: { train: [{ file: "corpus.conll", silence: "unknown" }], dev: "corpus.conll", test: "corpus.conll" },
      hashes: { test: expect.stringMatching(/^[0-9a-f]{64}$/) },
      train: { sentences: 54 },
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      dev: { byType: { LOC: { support: 42 }, PER: { support: 48 } } },
      epochs: [{ epoch: 1, missampling: expect.any(Number) }, { epoch: 2 }],
      memory: expect.any(Number),
    });
    for (const { train } of stored as unknown as { train: { entities: number; hidden: number } }[])
      expect(train.entities + train.hidden).toBe(90);

    const tables = folder.read("out/tables.md");
    const of = (method: string) =>
      stored.filter(({ place }) => place.method === method).map(({ test }) => 100 * test.f1);
    const mean = (values: number[]) => ((values[0]! + values[1]!) / 2).toFixed(2);
    expect(tables).toMatch(new RegExp(`\\| ce \\| BiLSTM 16; \\d+ k .* \\| 2 \\| ${mean(of("ce"))} ± \\d`));
    expect(tables).toContain("| *A paper* | *BERT* |  | *12.50* |");
    expect(tables).toMatch(new RegExp(`\\| uniform \\| .* \\| 2 \\| ${mean(of("uniform"))} ± \\d`));
    expect(tables).toContain("4 of 4 runs have results");
    expect(tables).toContain("![Dev F1](by-epoch.svg)");

    const before = folder.read("out/results.jsonl");
    const second = await run(folder, ["experiment", "toy", "--out", "out"]);
    expect(second.stderr).toMatch(/^4 of 4 runs have results already\nout\/tables\.md: written/);
    expect(folder.read("out/results.jsonl")).toBe(before);
  });

  it("gives the same figures with one job as with two, for a part of the runs as for all", async () => {
    const folder = files();
    await run(folder, ["experiment", "toy", "--out", "two", "--jobs", "2", "--quiet"]);
    const only = ["--only", "method=uniform", "--only", "seed=1,2"];
    const part = await run(folder, ["experiment", "toy", "--out", "one", "--jobs", "1", "--json", ...only, "--keep"]);
    expect(JSON.parse(part.stdout)).toMatchObject([
      { data: "toy", method: "uniform", rate: "0.5", seed: "1", state: "done", test: expect.any(Number) },
      { seed: "2", state: "done" },
    ]);
    expect(readdirSync(join(folder.path, "one", "runs"))).toHaveLength(2);
    const all = await run(folder, ["experiment", "toy", "--out", "one", "--list"]);
    expect(all.stdout).toMatch(/^run +test F1 +state\ntoy, ce, rate 0\.5, seed 1 +– +to do\n/);
    expect(all.stdout).toMatch(/toy, uniform, rate 0\.5, seed 2 +\d+\.\d\d +done\n$/);
    await run(folder, ["experiment", "toy", "--out", "one", "--jobs", "1", "--quiet"]);
    expect(figures(folder, "one")).toEqual(figures(folder, "two"));
  });

  it("stores only the evaluations of the stage that made the model", async () => {
    const folder = files(
      study.replace("uniform: { method: uniform }", "uniform: { method: two-step }").replace(/ {2}model: .*\n/, ""),
    );
    const { code, stderr } = await run(folder, [
      "experiment",
      "toy",
      "--out",
      "out",
      "--only",
      "method=uniform",
      "--only",
      "seed=1",
    ]);
    expect(stderr).toContain("toy, uniform, rate 0.5, seed 1: explore, epoch 2\n");
    expect(code).toBe(0);
    expect(results(folder)).toMatchObject([{ epochs: [{ epoch: 1 }, { epoch: 2 }] }]);
  });

  it("runs again what was measured on other data", async () => {
    const folder = files();
    const args = ["experiment", "toy", "--out", "out", "--only", "method=ce", "--only", "seed=1", "--quiet"];
    await run(folder, args);
    folder.write("corpus.conll", corpus.replace("today", "tonight"));
    await run(folder, args);
    expect(results(folder)).toHaveLength(2);
  });

  it.each(["SIGINT", "SIGKILL"] as const)("goes on after %s in a run, to the same figures", async (signal) => {
    const folder = files(study.replace("epochs: 2", "epochs: 5\n  batchTokens: 8").replace("\n  batchTokens: 64", ""));
    const args = ["experiment", "toy", "--jobs", "1", "--only", "method=uniform", "--only", "seed=1"];
    await run(folder, [...args, "--out", "whole", "--quiet"]);
    const child = start(folder, ...args, "--out", "out");
    child.stdin.end();
    const runs = join(folder.path, "out", "runs");
    const state = (): string => join(runs, readdirSync(runs)[0] ?? "none", "model", "checkpoint", "state.safetensors");
    await until(() => existsSync(runs) && existsSync(state()));
    child.kill(signal);
    const { code, stderr } = await outcomeOf(child);
    expect(code).toBe(signal === "SIGINT" ? 130 : null);
    if (signal === "SIGINT") expect(stderr).toMatch(/out: interrupted; the same command goes on\n$/);
    expect(existsSync(join(folder.path, "out", "results.jsonl"))).toBe(false);
    const resumed = await run(folder, [...args, "--out", "out"]);
    expect(resumed.stderr).toMatch(/^toy, uniform, rate 0\.5, seed 1: goes on\n/);
    expect(resumed.code).toBe(0);
    expect(figures(folder, "out")).toEqual(figures(folder, "whole"));
  });

  it("tells of a run that fails, does the others, and ends with 1", async () => {
    const folder = files(study.replace("ce: { method: ce }", "ce: { method: ce, rate: 1.0e+38, clip: 1.0e+38 }"));
    const { code, stderr } = await run(folder, ["experiment", "toy", "--out", "out", "--only", "seed=1"]);
    expect(code).toBe(1);
    expect(stderr).toContain("toy, ce, rate 0.5, seed 1: failed: training: the loss became NaN");
    expect(stderr).toMatch(/lacuna: 1 run of 2 failed, the first: toy, ce, rate 0\.5, seed 1: training: .*\n$/);
    expect(results(folder).map(({ place }) => place.method)).toEqual(["uniform"]);
  });

  it("makes PNG files of the figures with the rasteriser that it is told of, and none with one that merely lies there", async () => {
    const folder = files();
    const home = join(folder.path, "node_modules", "@resvg", "resvg-js");
    mkdirSync(home, { recursive: true });
    // A stand-in with the interface of the package: what it is given, it gives back.
    writeFileSync(
      join(home, "index.js"),
      "exports.Resvg = class { constructor(svg) { this.svg = svg; } render() { return { asPng: () => Buffer.from(this.svg) }; } };",
    );
    const args = ["experiment", "toy", "--out", "out", "--only", "method=ce", "--only", "seed=1"];
    expect((await run(folder, args)).stderr).toMatch(/written, with 1 figure as SVG\n$/);
    process.env.LACUNA_RASTERISER = join("node_modules", "@resvg", "resvg-js");
    onTestFinished(() => {
      delete process.env.LACUNA_RASTERISER;
    });
    const { stderr } = await run(folder, [...args, "--tables"]);
    expect(stderr).toMatch(/written, with 1 figure as SVG and PNG\n$/);
    expect(folder.read("out/by-epoch.png")).toBe(folder.read("out/by-epoch.svg"));
  });

  it("--results writes the page of all studies in a folder", async () => {
    const folder = files();
    await run(folder, ["experiment", "toy", "--out", "toy", "--only", "seed=1", "--quiet"]);
    const { code, stderr } = await run(folder, ["experiment", "--results", "--out", "."]);
    expect(stderr).toBe("RESULTS.md: written, with 1 figure as SVG\n");
    expect(code).toBe(0);
    const page = folder.read("RESULTS.md");
    expect(page).toContain("## A tiny study (`toy`)");
    expect(page).toContain("2 of 4 runs have results");
    expect(page).toContain("![Dev F1](toy/by-epoch.svg)");
  });
});

describe("experiment refuses in one line", () => {
  it.each<[string, string[], string | RegExp]>([
    [
      "an unknown study",
      ["toi", "--out", "out"],
      /experiment: no folder with a study\.yaml and no study "toi" \(known: .*sample/,
    ],
    ["no study", ["--out", "out"], "experiment: name a study, or give --results for the page of all\n"],
    [
      "a study beside --results",
      ["toy", "--results", "--out", "."],
      "experiment: --results is about all studies, name none\n",
    ],
    [
      "a study file that is none",
      ["bad", "--out", "out"],
      /bad\/study\.yaml: not a study: purpose: .*unknown "axis"\n$/,
    ],
    [
      "a file of data that is not there",
      ["toy", "--out", "out", "--data", "nowhere"],
      "nowhere/corpus.conll: no such file or directory\n",
    ],
    [
      "no job",
      ["toy", "--out", "out", "--jobs", "0"],
      "option '--jobs <n>' argument '0' is invalid. Expected a whole number from 1.\n",
    ],
    ["no folder for the results", ["toy"], "required option '--out <dir>' not specified\n"],
  ])("%s", async (_, args, message) => {
    const folder = files();
    mkdirSync(join(folder.path, "bad"));
    folder.write("bad/study.yaml", "title: Bad\ndata: {}\naxis: {}\n");
    const { code, stdout, stderr } = await run(folder, ["experiment", ...args]);
    expect(stderr).toMatch(/^lacuna: [^\n]+\n$/);
    if (typeof message === "string") expect(stderr).toBe(`lacuna: ${message}`);
    else expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(folder.names()).toEqual(["bad", "corpus.conll", "toy"]);
  });
});
