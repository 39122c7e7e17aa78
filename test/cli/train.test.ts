import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { columns, type Folder, makeFolder, outcomeOf, run, start, until } from "./lacuna.ts";
import { corpus, tiny } from "./tiny.ts";

const base = ["train", "--train", "corpus.conll", ...tiny];

function files(more: Readonly<Record<string, string>> = {}): Folder {
  return makeFolder({ "corpus.conll": corpus, ...more });
}

function metrics(folder: Folder, model: string): Record<string, unknown>[] {
  return folder
    .read(`${model}/metrics.jsonl`)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

describe("train", () => {
  it("writes a model directory with the complete settings, a card and a line of metrics for each epoch", async () => {
    const folder = files({ "settings.yaml": "method: uniform\nsampler:\n  rate: 0.5\nseed: 7\n" });
    const args = [...base, "--dev", "corpus.conll", "--settings", "settings.yaml", "--set", "sampler.rate=1"];
    const { code, stdout, stderr } = await run(folder, [...args, "--epochs", "2", "--out", "model"]);
    expect(code).toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /^54 sentences, 90 labelled entities, types LOC, PER\nwhat the annotation says of .*: 90 labelled, 0 known to be no entity, .* of which nothing is said\nepoch 1, loss .*, dev P .*\nepoch 2, .*\nmodel: best on dev after epoch \d: F1 \d+\.\d\d %\n$/,
    );
    expect(readdirSync(join(folder.path, "model")).sort()).toEqual([
      "README.md",
      "config.json",
      "metrics.jsonl",
      "model.safetensors",
      "state.safetensors",
      "vocabulary.json",
    ]);
    const { training, types } = JSON.parse(folder.read("model/config.json"));
    expect(types).toEqual(["LOC", "PER"]);
    expect(training).toMatchObject({
      method: "uniform",
      epochs: 2,
      seed: 7,
      sampler: { name: "uniform", rate: 1, count: "ceil" },
      encoder: { name: "bilstm", units: 16 },
      clip: 5,
    });
    expect(metrics(folder, "model").map(({ epoch }) => epoch)).toEqual([1, 2]);
  });

  it("takes settings as JSON, under flags and --set, and an empty file for no settings", async () => {
    const folder = files({ "a.json": '{"epochs": 3, "seed": 2, "decay": 0}', "b.yaml": "# nothing yet\n" });
    await run(folder, [...base, "--settings", "a.json", "--epochs", "1", "--set", "seed=4", "--out", "a", "--quiet"]);
    const { training } = JSON.parse(folder.read("a/config.json"));
    expect([training.epochs, training.seed, training.decay]).toEqual([1, 4, 0]);
    const { code } = await run(folder, [...base, "--settings", "b.yaml", "--epochs", "1", "--out", "b", "--quiet"]);
    expect(code).toBe(0);
  });

  it("records how often hidden entities are drawn as negatives", async () => {
    const folder = files();
    const mask = ["mask", "--in", "corpus.conll", "--out", "gaps.conll", "--hidden", "hidden.conll", "--rate", "0.5"];
    await run(folder, [...mask, "--exact", "--quiet"]);
    const args = ["train", "--train", "gaps.conll", "--hidden", "hidden.conll", ...tiny, "--epochs", "2", "--quiet"];
    await run(folder, [...args, "--method", "ce", "--out", "ce"]);
    // Plain training draws every unknown span of widths 1 (the widest entity): tokens without a label.
    const tokens = corpus.split("\n").filter((line) => line !== "").length;
    expect(metrics(folder, "ce").map(({ missampling }) => missampling)).toEqual([
      45 / (tokens - 45),
      45 / (tokens - 45),
    ]);
    await run(folder, [...args, "--method", "uniform", "--out", "uniform"]);
    for (const { missampling, negatives } of metrics(folder, "uniform") as {
      missampling: number;
      negatives: number;
    }[]) {
      expect(Number.isInteger(Math.round(missampling * negatives * 1e6) / 1e6)).toBe(true);
      expect(missampling).toBeGreaterThan(0);
      expect(missampling).toBeLessThan(0.5);
    }
    const short = columns("Ada/B-PER");
    folder.write("short.conll", short);
    const wrong = await run(folder, ["train", "--train", "gaps.conll", "--hidden", "short.conll", "--out", "x"]);
    expect(wrong.stderr).toBe("lacuna: short.conll: must hold the sentences of the training data: 54, got 1\n");
  });

  it("reports types of the dev set that the training data lack, and trains", async () => {
    const folder = files({ "dev.conll": columns("Acme/B-ORG hired/O Ada/B-PER") });
    const args = [...base, "--dev", "dev.conll", "--epochs", "1", "--out", "model", "--json"];
    const { code, stdout, stderr } = await run(folder, args);
    expect(code).toBe(0);
    expect(stderr).toContain("the dev set has types that the training data lack, never to be found: ORG\n");
    expect(JSON.parse(stdout).data.unseenTypes).toEqual(["ORG"]);
  });
});

describe("a run that was stopped goes on to the same weights as one that never was", () => {
  // Without a dev set the model is the state after the last epoch.
  const args = [...base, "--epochs", "5", "--method", "weighted", "--set", "batchTokens=8"];
  const model = (folder: Folder, name: string): Buffer => readFileSync(join(folder.path, name, "model.safetensors"));

  async function stopInEpochTwo(
    folder: Folder,
    signal: NodeJS.Signals,
  ): Promise<{ code: number | null; stderr: string }> {
    const child = start(folder, ...args, "--out", "stopped");
    child.stdin.end();
    const state = join(folder.path, "stopped", "checkpoint", "state.safetensors");
    await until(() => existsSync(state));
    // A step takes a millisecond, an epoch about sixty of them.
    await new Promise((resolve) => setTimeout(resolve, 15));
    child.kill(signal);
    return outcomeOf(child);
  }

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGKILL", null],
  ] as const)("after %s", async (signal, code) => {
    const folder = files();
    await run(folder, [...args, "--out", "whole", "--quiet"]);
    const stopped = await stopInEpochTwo(folder, signal);
    expect(stopped.code).toBe(code);
    if (code !== null)
      expect(stopped.stderr).toMatch(/stopped: interrupted; the same command with --resume goes on\n$/);
    expect(metrics(folder, "stopped").length).toBeLessThan(5);
    expect(model(folder, "stopped").equals(model(folder, "whole"))).toBe(false);

    const refused = await run(folder, [...args, "--out", "stopped"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /^lacuna: stopped: the folder holds a run that was interrupted; go on with --resume/,
    );
    const other = await run(folder, [...args, "--out", "stopped", "--resume", "--seed", "2"]);
    expect(other.stderr).toMatch(/the checkpoint belongs to a run with other settings or other data/);

    const { code: resumed, stderr } = await run(folder, [...args, "--out", "stopped", "--resume"]);
    expect(resumed).toBe(0);
    expect(stderr).toContain("going on from the checkpoint\n");
    expect(model(folder, "stopped").equals(model(folder, "whole"))).toBe(true);
    expect(folder.read("stopped/metrics.jsonl")).toBe(folder.read("whole/metrics.jsonl"));
    expect(readdirSync(join(folder.path, "stopped"))).toEqual(readdirSync(join(folder.path, "whole")));
  });

  it("or starts when it was killed before its first checkpoint, and says when there is nothing to resume", async () => {
    const folder = files();
    mkdirSync(join(folder.path, "stopped", "checkpoint"), { recursive: true });
    folder.write("stopped/.model.safetensors.0.tmp", "half");
    await run(folder, [...args, "--out", "stopped", "--resume", "--quiet"]);
    await run(folder, [...args, "--out", "whole", "--quiet"]);
    expect(model(folder, "stopped").equals(model(folder, "whole"))).toBe(true);
    expect(readdirSync(join(folder.path, "stopped"))).toEqual(readdirSync(join(folder.path, "whole")));
    expect(await run(folder, [...args, "--out", "whole", "--resume"])).toEqual({
      code: 2,
      stdout: "",
      stderr: "lacuna: whole: the run is finished, there is nothing to resume; more --epochs make it longer\n",
    });
  });
});

describe("train refuses in one line", () => {
  it.each<[string, string[], string | RegExp]>([
    ["an unknown setting", ["--set", "epoch=3"], /unknown setting "epoch" \(known: method, .*epochs, /],
    ["an unknown encoder", ["--encoder", "lstm"], 'encoder: unknown "lstm" (known: bilstm, transformer'],
    [
      "an unsupported architecture",
      ["--encoder", "transformer:gpt"],
      /gpt\/config\.json: .*"gpt2" \(known: bert, .*\)/,
    ],
    ["a missing settings file", ["--settings", "no.yaml"], "no.yaml: no such file"],
    ["broken YAML", ["--settings", "bad.yaml"], 'bad.yaml:3: not a settings file: the name "epochs" stands twice\n'],
    ["broken JSON", ["--settings", "bad.json"], "bad.json: not a settings file: "],
    [
      "a list",
      ["--settings", "list.yaml"],
      'list.yaml: not a settings file: expected names with values, got ["epochs"]\n',
    ],
    ["a dev set of nothing", ["--dev", "empty.conll"], "empty.conll: the dev set holds no sentence\n"],
    ["a missing dev set", ["--dev", "no.conll"], "no.conll: no such file\n"],
  ])("%s", async (_, flags, message) => {
    const folder = files({
      "bad.yaml": "epochs: 3\nseed: 1\nepochs: 4\n",
      "bad.json": '{"epochs": 3',
      "list.yaml": "- epochs\n",
      "empty.conll": "",
    });
    mkdirSync(join(folder.path, "gpt"));
    folder.write("gpt/config.json", '{"model_type": "gpt2"}');
    folder.write("gpt/tokenizer.json", "{}");
    folder.write("gpt/model.safetensors", "");
    const { code, stdout, stderr } = await run(folder, [
      "train",
      "--train",
      "corpus.conll",
      "--out",
      "model",
      ...flags,
    ]);
    expect(stderr).toMatch(/^lacuna: [^\n]+\n$/);
    if (typeof message === "string") expect(stderr).toContain(`lacuna: ${message}`);
    else expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(folder.names()).not.toContain("model");
  });

  it("training data without a single label", async () => {
    const folder = makeFolder({ "none.conll": columns("Ada/O met/O Bob/O") });
    const { code, stderr } = await run(folder, ["train", "--train", "none.conll", "--out", "model"]);
    expect(stderr).toBe("lacuna: train: no entity types; the training data hold no labelled entity\n");
    expect(code).toBe(2);
    expect(folder.names()).toEqual(["none.conll"]);
  });

  it("an output that is not its own: a model, other files, a file", async () => {
    const folder = files({ file: "" });
    for (const [name, content] of [
      ["model", "config.json"],
      ["notes", "README.md"],
    ] as const) {
      mkdirSync(join(folder.path, name));
      folder.write(`${name}/${content}`, "mine");
    }
    const refusal = async (out: string) => (await run(folder, [...base, "--out", out])).stderr;
    expect(await refusal("model")).toBe("lacuna: model: the folder holds a model; choose another or remove it\n");
    expect(await refusal("notes")).toBe("lacuna: notes: the folder for the model is not empty; choose another\n");
    expect(await refusal("file")).toBe("lacuna: file: expected a folder, got a file\n");
    expect(folder.read("notes/README.md")).toBe("mine");
  });
});

it("training that diverges ends with 1 and a hint", async () => {
  const folder = files();
  const { code, stderr } = await run(folder, [
    ...base,
    "--out",
    "model",
    "--set",
    "rate=1e38",
    "--set",
    "clip=1e38",
    "--quiet",
  ]);
  expect(stderr).toMatch(/^lacuna: training: the loss became NaN at step \d+; .*smaller learning rate.*\n$/);
  expect(code).toBe(1);
});
