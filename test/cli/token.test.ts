import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { columns, type Folder, makeFolder, outcomeOf, run, start, until } from "./lacuna.ts";
import { corpus, tiny } from "./tiny.ts";

/** The smallest tagger, as flags: a tagger has no hidden layer between words and tags. */
const flags = tiny.filter((_, i) => !tiny[i + (i % 2 === 0 ? 1 : 0)]!.startsWith("head.hidden"));
const base = ["train", "--train", "corpus.conll", ...flags];
const dropout = ["--set", "head.dropout=0.1"];

function files(): Folder {
  return makeFolder({ "corpus.conll": corpus });
}

describe("a token tagger", () => {
  it("is trained by --set head=token, evaluated and used like any model", async () => {
    const folder = files();
    const args = [
      ...base,
      "--set",
      "head=token",
      "--method",
      "ce",
      ...dropout,
      "--dev",
      "corpus.conll",
      "--silence",
      "negative",
      "--epochs",
      "8",
    ];
    const trained = await run(folder, [...args, "--out", "model", "--json"]);
    expect(trained.stderr).toContain("54 sentences, 90 labelled entities, types LOC, PER\n");
    expect(trained.code).toBe(0);
    expect(JSON.parse(trained.stdout)).toMatchObject({ model: "model", dev: { f1: 1 }, data: { leftOut: [] } });
    const { head } = JSON.parse(folder.read("model/config.json"));
    expect(head).toMatchObject({ name: "token", scheme: "bio", scores: "linear", output: "crf", unknown: "outside" });
    expect(folder.read("model/README.md")).toContain("| tags | bio, crf |");

    const evaluated = await run(folder, ["evaluate", "--model", "model", "--data", "corpus.conll", "--json"]);
    expect(JSON.parse(evaluated.stdout)).toMatchObject({ f1: 1 });
    const tagged = await run(folder, ["tag", "--model", "model", "--quiet"], "Ada lives in Rome .\n");
    expect(tagged.stdout).toBe("[Ada](PER) lives in [Rome](LOC) .\n");
    const sure = await run(folder, ["tag", "--model", "model", "--min-score", "1", "--quiet"], "Ada lives in Rome .\n");
    expect(sure.stdout).toBe("Ada lives in Rome .\n");
  });

  it("says which entities it has no tags for", async () => {
    const record = {
      text: "Ada Lane sings",
      label: [
        [0, 8, "PER"],
        [4, 8, "LOC"],
        [0, 3, "LOC"],
      ],
    };
    const folder = makeFolder({ "nested.jsonl": `${JSON.stringify(record)}\n` });
    const args = [
      "train",
      "--train",
      "nested.jsonl",
      "--from",
      "doccano",
      "--set",
      "head=token",
      "--method",
      "ce",
      "--epochs",
      "1",
    ];
    const { code, stderr } = await run(folder, [...args, ...flags, "--out", "model"]);
    expect(stderr).toContain(
      "2 entities are within or across longer ones and left out: a token has one tag (head=span has no such limit)\n",
    );
    expect(code).toBe(0);
  });

  it("refuses parts of a method that are for spans", async () => {
    const folder = makeFolder({ "a.conll": columns("Ada/B-PER sings/O") });
    const args = ["train", "--train", "a.conll", "--set", "head=token", "--method", "uniform", "--out", "model"];
    expect(await run(folder, args)).toEqual({
      code: 2,
      stdout: "",
      stderr: 'lacuna: head token: trains all tokens, so sampler must be "all", got "uniform"\n',
    });
    expect(folder.names()).toEqual(["a.conll"]);
  });
});

describe("the two-step method", () => {
  const args = [
    ...base,
    "--method",
    "two-step",
    "--epochs",
    "4",
    "--set",
    "batchTokens=8",
    "--set",
    "explore.remove=0.1",
    ...dropout,
  ];
  const model = (folder: Folder, name: string): Buffer => readFileSync(join(folder.path, name, "model.safetensors"));

  it("trains by its name, tells what it takes out, and goes on after it was killed in either stage", async () => {
    const folder = files();
    const whole = await run(folder, [...args, "--out", "whole"]);
    expect(whole.code).toBe(0);
    expect(whole.stderr).toMatch(
      /explore: epoch 1, .*\nexplore: epoch 2, .*\n\d+ of \d+ tokens without a label are taken out of training; the model starts anew \(listed in whole\/removed\.jsonl\)\nepoch 1, /,
    );
    const stages = { explore: "stages/explore/checkpoint/state.safetensors", train: "model.safetensors" };
    for (const [stage, file] of Object.entries(stages)) {
      const child = start(folder, ...args, "--out", stage);
      child.stdin.end();
      await until(() => existsSync(join(folder.path, stage, file)));
      child.kill("SIGKILL");
      await outcomeOf(child);
      const { code, stderr } = await run(folder, [...args, "--out", stage, "--resume"]);
      expect(stderr).toContain("going on from the checkpoint\n");
      expect(code).toBe(0);
      expect(model(folder, stage).equals(model(folder, "whole"))).toBe(true);
      expect(folder.read(`${stage}/metrics.jsonl`)).toBe(folder.read("whole/metrics.jsonl"));
      expect(folder.read(`${stage}/removed.jsonl`)).toBe(folder.read("whole/removed.jsonl"));
    }
  });
});
