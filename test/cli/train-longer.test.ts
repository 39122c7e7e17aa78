import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { costOfSilence } from "../../src/cli/train-notes.ts";
import { readSafetensors } from "../../src/util/safetensors.ts";
import { type Folder, makeFolder, outcomeOf, run, start, until } from "./lacuna.ts";
import { corpus, tiny } from "./tiny.ts";

/** The smallest tagger, as flags; its method has two stages. */
const tinyTagger = [
  "encoder.units=16",
  "encoder.wordWidth=16",
  "batchTokens=64",
  "rate=0.02",
  "explore.epochs=1",
  "head=token",
].flatMap((setting) => ["--set", setting]);

const steady = ["--set", "schedule=constant", "--set", "warmup=0", "--set", "patience=0"];

/** Vectors that do not train, for some of the words. */
const fixed = ["--set", "encoder.vectors=vectors.txt", "--set", "encoder.tuneVectors=false"];
const vectors = ["paris", "rome", "ada", "lives", "in"].map((word, i) => `${word} 0.${i} -0.5 1 0.25\n`).join("");

function files(): Folder {
  return makeFolder({ "corpus.conll": corpus, "vectors.txt": vectors });
}

function train(folder: Folder, out: string, ...more: string[]) {
  return run(folder, ["train", "--train", "corpus.conll", ...tiny, "--out", out, ...more]);
}

/** Every file of a model directory by name. */
function contents(folder: Folder, model: string): Record<string, string> {
  const names = readdirSync(join(folder.path, model)).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder.path, model, name)).toString("hex")]));
}

describe("--resume with more --epochs", () => {
  it.each([
    ["without a dev set", tiny],
    ["with one on which the best is long past", [...tiny, "--dev", "corpus.conll", "--set", "rate=0.2"]],
    ["in two stages", tinyTagger],
    ["with vectors that do not train", [...tiny, ...fixed]],
  ])("makes a finished run the one that was longer from the start, %s", async (_, settings) => {
    const folder = files();
    const go = (out: string, ...rest: string[]) =>
      run(folder, ["train", "--train", "corpus.conll", ...settings, ...steady, "--out", out, ...rest]);
    expect((await go("whole", "--epochs", "4", "--quiet")).stderr).toBe("");
    await go("longer", "--epochs", "2", "--quiet");
    const { code, stderr } = await go("longer", "--epochs", "4", "--resume");
    expect(stderr).toContain("going on with 4 epochs in all, 2 before\n");
    expect(stderr).not.toContain("will not be those");
    expect(code).toBe(0);
    expect(contents(folder, "longer")).toEqual(contents(folder, "whole"));
  });

  it("says that a learning rate over all epochs makes other weights, and trains", async () => {
    const folder = files();
    await train(folder, "model", "--epochs", "1", "--quiet");
    const { code, stderr } = await train(folder, "model", "--epochs", "2", "--resume");
    expect(stderr).toContain(
      "(schedule=linear, warmup=0.1), so the weights will not be those of 2 epochs from the start",
    );
    expect(code).toBe(0);
    expect(folder.read("model/metrics.jsonl").trim().split("\n")).toHaveLength(2);
  });

  it("keeps no vectors that do not train, and refuses others in their place", async () => {
    const folder = files();
    await train(folder, "model", ...fixed, "--epochs", "1", "--quiet");
    const stored = readSafetensors(join(folder.path, "model", "state.safetensors"));
    expect([...stored.keys()].filter((name) => name.includes("words"))).toEqual([]);
    writeFileSync(join(folder.path, "vectors.txt"), vectors.replace("0.25", "0.75"));
    const { code, stderr } = await train(folder, "model", ...fixed, "--epochs", "2", "--resume");
    expect(stderr).toMatch(
      /state\.safetensors: the fixed vectors "bilstm\.words" are not those with which the run began/,
    );
    expect(code).toBe(2);
  });

  it("refuses what would be another run, and a run without its last state", async () => {
    const folder = files();
    await train(folder, "model", "--epochs", "2", "--quiet");
    const again = await train(folder, "model", "--epochs", "2", "--resume");
    expect(again.stderr).toBe(
      "lacuna: model: the run is finished, there is nothing to resume; more --epochs make it longer\n",
    );
    const other = await train(folder, "model", "--epochs", "3", "--seed", "2", "--resume");
    expect(other.stderr).toMatch(
      /^lacuna: model: the run is finished, and this one has other .*: seed was 1 and is 2;/,
    );
    expect(existsSync(join(folder.path, "model", "checkpoint"))).toBe(false);
    await train(folder, "bare", "--epochs", "1", "--no-state", "--quiet");
    const bare = await train(folder, "bare", "--epochs", "2", "--resume");
    expect(bare.stderr).toMatch(/^lacuna: bare: the run is finished, .* it kept no state /);
    expect([again.code, other.code, bare.code]).toEqual([2, 2, 2]);
  });
});

describe("the last line of train", () => {
  it("says score and epoch of the best state, also when that came before an interruption", async () => {
    const folder = files();
    // So large a rate spoils the model after its first epochs.
    const args = ["--dev", "corpus.conll", "--epochs", "40", ...steady, "--set", "batchTokens=8"];
    const child = start(folder, "train", "--train", "corpus.conll", ...tiny, "--out", "model", ...args);
    child.stdin.end();
    const metrics = join(folder.path, "model", "metrics.jsonl");
    const perfect = (): boolean => existsSync(metrics) && readFileSync(metrics, "utf8").includes('"f1":1,');
    await until(perfect);
    child.kill("SIGINT");
    await outcomeOf(child);
    const { stderr } = await train(folder, "model", ...args, "--resume");
    expect(stderr).toMatch(/model: best on dev after epoch \d+: F1 100\.00 %\n$/);
  });
});

describe("ce on text of which nobody said that it is complete", () => {
  it("warns with what it costs, and does not where silence is declared", async () => {
    const folder = files();
    const ce = ["--method", "ce", "--epochs", "1"];
    const { stderr } = await train(folder, "gaps", ...ce);
    expect(stderr).toContain('warning: ce reads text that nobody labelled as "not an entity". On CoNLL03 with 70 %');
    for (const [out, flag] of [
      ["complete", ["--silence", "negative"]],
      ["declared", ["--complete", "corpus.conll"]],
      ["uniform", ["--method", "uniform"]],
    ] as const)
      expect((await train(folder, out, ...ce, ...flag)).stderr).not.toContain("warning");
  });

  it("has its figures from a stored result", () => {
    const results = new URL("../../experiments/masked-conll03/results.jsonl", import.meta.url);
    const runs = readFileSync(results, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const f1 = (method: string): number => {
      const place = {
        data: "conll03",
        encoder: "BiLSTM + GloVe",
        method,
        rate: String(costOfSilence.hidden / 100),
        seed: "1",
      };
      const [found] = runs.filter((each) => Object.entries(place).every(([key, value]) => each.place[key] === value));
      return Math.round(10_000 * found.test.f1) / 100;
    };
    expect([f1("ce"), f1("uniform")]).toEqual([costOfSilence.plain, costOfSilence.uniform]);
  });
});
