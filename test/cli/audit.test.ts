import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { type Suspicion, suspicionSchema } from "../../src/audit/index.ts";
import { type Folder, makeFolder, type Outcome, outcomeOf, run, sharedFolder, start } from "./lacuna.ts";
import { corpus, tiny } from "./tiny.ts";

/** The corpus, with the label of one person taken away and one word labelled by mistake. */
const faulty = corpus
  .replace(/Bob\tB-PER\nlives\tO\nin\tO\nOslo/, "Bob\tO\nlives\tO\nin\tO\nOslo")
  .replace(/Mia\tB-PER\nlives\tO/, "Mia\tB-PER\nlives\tB-LOC");

/** Several trainings, on a machine that may be busy. */
const patience = 600_000;

const small = [
  ...tiny.filter((_, i) => !/head\.hidden/.test(tiny[i + (tiny[i] === "--set" ? 1 : 0)]!)),
  "--epochs",
  "12",
];
const usual = ["audit", "--data", "data.conll", "--out", "audit.jsonl", "--folds", "2", "--jobs", "1", ...small];

function linesOf(folder: Folder, name = "audit.jsonl"): Suspicion[] {
  return folder
    .read(name)
    .trim()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => suspicionSchema.parse(JSON.parse(line)));
}

function folderWith(content: string): Folder {
  const folder = makeFolder();
  folder.write("data.conll", content);
  return folder;
}

describe("lacuna audit", () => {
  const folder = sharedFolder({ "data.conll": faulty });
  let outcome: Outcome;
  beforeAll(async () => {
    outcome = await run(folder, [...usual, "--figure", "a.svg"], "", { COLUMNS: "80" });
  }, patience);

  it("lists what is missing and what is wrong, best first, and says what it expects", () => {
    const { code, stdout, stderr } = outcome;
    expect(stderr).toContain("2 models, each 12 passes over");
    expect(code).toBe(0);
    const found = linesOf(folder);
    const missing = found.find(({ kind, text }) => kind === "missing" && text === "Bob");
    expect(missing).toMatchObject({ type: "PER", given: null });
    expect(found.some(({ kind, text }) => kind !== "missing" && text === "lives")).toBe(true);
    expect(found.slice(0, 5)).toContainEqual(missing);
    expect(stdout).toContain("Expected to be missing");
    expect(stdout).toContain("not calibrated");
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
    expect(folder.read("a.svg")).toContain("<svg");
    expect(existsSync(`${folder.path}/audit.jsonl.work`)).toBe(false);
  });

  it(
    "goes on after kill -9 to the same bytes",
    async () => {
      const killed = folderWith(faulty);
      const child = start(killed, ...usual);
      // Listened for from the start: on a quick machine it may be over before it is killed.
      const ended = outcomeOf(child);
      while (child.exitCode === null && !existsSync(`${killed.path}/audit.jsonl.work`)) await setTimeout(20);
      await setTimeout(1500);
      child.kill("SIGKILL");
      await ended;
      expect((await run(killed, usual)).code).toBe(0);
      expect(killed.read("audit.jsonl")).toBe(folder.read("audit.jsonl"));
    },
    patience,
  );

  it(
    "lists with --since only what is new",
    async () => {
      const earlier = linesOf(folder);
      const kept = earlier.filter(({ text }) => text !== "Bob");
      folder.write("before.jsonl", kept.map((line) => `${JSON.stringify(line)}\n`).join(""));
      const args = [...usual, "--out", "second.jsonl", "--since", "before.jsonl", "--json"];
      const { code, stdout } = await run(folder, args);
      expect(code).toBe(0);
      expect(linesOf(folder, "second.jsonl")).toEqual(earlier.filter(({ text }) => text === "Bob"));
      expect(JSON.parse(stdout)).toMatchObject({ places: earlier.length - kept.length, calibrated: false });
    },
    patience,
  );

  it(
    "calibrates on dev, takes a dictionary, several files and formats, a span model, and writes tasks",
    async () => {
      folder.write("more.txt", "😀 Bob lives in\r\nRome .\n");
      folder.write("dev.conll", corpus);
      folder.write("names.tsv", "Bob\tPER\n");
      const inputs = ["--data", "more.txt", "--dev", "dev.conll", "--dict", "names.tsv", "--repeats", "2"];
      const more = ["--set", "head=span", "--set", "head.hidden=16", "--min-score", "0", "--work", "kept", "--json"];
      for (const to of ["label-studio", "prodigy"]) {
        const args = [...usual, ...inputs, ...more, "--out", "full.jsonl", "--tasks", `${to}.json`, "--to", to];
        const { code, stdout, stderr } = await run(folder, args);
        expect(stderr).toContain(`${to}.json: written`);
        expect(code).toBe(0);
        const summary = JSON.parse(stdout);
        expect(summary.calibrated).toBe(true);
        expect(summary.missing.map(({ type }: { type: string }) => type)).toEqual(["LOC", "PER"]);
      }
      const listed = linesOf(folder, "full.jsonl").find(({ kind, text }) => kind === "missing" && text === "Bob")!;
      expect(listed.reasons.join(" ")).toContain("names.tsv lists it as PER.");
      expect(listed.reasons.join(" ")).toMatch(/\d of 2 models find it\./);
      const tasks = JSON.parse(folder.read("label-studio.json"));
      const emoji = tasks.find(({ data }: { data: { text: string } }) => data.text.startsWith("😀"));
      expect(emoji.data.text).toBe("😀 Bob lives in");
      for (const { data, predictions } of tasks) {
        for (const { value } of predictions.flatMap(({ result }: { result: object[] }) => result)) {
          expect([...data.text].slice(value.start, value.end).join("")).toBe(value.text);
        }
      }
      const lines = folder.read("prodigy.json").trim().split("\n");
      const parsed = lines.map((line) => JSON.parse(line));
      expect(parsed.flatMap(({ spans }) => spans).some(({ score }) => score !== undefined)).toBe(true);
      for (const { answer } of parsed) expect(answer).toBeUndefined();
    },
    patience,
  );

  it.each([
    ["no labels at all", "a\tO\n\nb\tO\n\nc\tO\n", [], "no entity types"],
    ["a method of two trainings", faulty, ["--method", "two-step"], "expected a method that trains once"],
    ["an unknown method", faulty, ["--method", "cee"], 'method: unknown "cee"'],
    ["one fold", faulty, ["--folds", "1"], "expected at least 2 folds, got 1"],
    ["a figure that is no SVG", faulty, ["--figure", "a.png"], "a.png: a figure is written as SVG"],
    ["a format of tasks without tasks", faulty, ["--to", "prodigy"], "--to prodigy needs --tasks FILE"],
    ["an audit that is none", faulty, ["--since", "data.conll"], "data.conll:1: not a line of an audit"],
    ["standard output without a folder", faulty, ["--out", "-"], "--out - needs --work DIR"],
  ])("refuses %s in one line, and leaves what was there", async (_, content, flags, message) => {
    const folder = folderWith(content);
    folder.write("audit.jsonl", "as it was\n");
    const { code, stdout, stderr } = await run(folder, [...usual, ...flags, "--quiet"]);
    expect(stderr).toContain(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stdout).toBe("");
    expect(code).toBe(2);
    expect(folder.read("audit.jsonl")).toBe("as it was\n");
  });
});
