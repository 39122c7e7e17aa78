import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { completeSettings } from "../../src/methods/complete.ts";
import { recordedPage } from "../../src/report/recorded.ts";
import { openStudy } from "../../src/studies/open-study.ts";
import { readResults } from "../../src/studies/results.ts";
import { merge, settingOf } from "../../src/training/merge.ts";
import { readStructured } from "../../src/util/structured-file.ts";
import { ensureEqual, type Target } from "../target.ts";

const study = `title: How much may be hidden?
purpose: To see it.
data: { toy: toy, other: { train: [a.conll, { file: b.conll, silence: negative }], dev: d.conll, test: t.conll } }
masking: { by: surface, seed: 3 }
settings: { epochs: 2 }
axes:
  method: { ce: { method: ce }, uniform: { method: uniform, sampler: { rate: 0.5 } } }
  decay: { setting: decay, values: [0, 0.5] }
rates: [0.5, 0.8]
seeds: [1, 2]
groups: [{ method: ce, rate: [] }, { method: [uniform], seed: 1 }]
tables: [{ title: T, rows: [method], columns: [rate], where: { data: [toy] } }]
`;

const result = {
  ...{
    study: "s",
    place: { data: "toy" },
    settings: { method: "ce" },
    masking: null,
    date: "2026-01-01",
    version: "1",
  },
  files: { train: [{ file: "t", silence: "unknown" }], dev: "d", test: "t" },
  hashes: { train: ["a"], dev: "b", test: "c" },
  ...{ train: { sentences: 1, entities: 1, hidden: 0 }, parameters: { all: 2, words: 1 }, bestEpoch: 1 },
  dev: { precision: 1, recall: 1, f1: 1, support: 1, byType: { PER: { precision: 1, recall: 1, f1: 1, support: 1 } } },
  test: { precision: 1, recall: 1, f1: 1, support: 1, byType: {} },
  ...{ counts: "AAAA", epochs: [], seconds: 1, memory: 1 },
};

const recorded =
  "title: T\npurpose: P.\ncommand: c\ntables:\n  - where: { kind: [x] }\n    columns: [{ title: N, field: name }]\n";

/** A settings file as users write them, and what `--set` takes. */
const settings = {
  method: "uniform",
  sampler: { rate: 0.3 },
  encoder: { name: "stack", sources: ["words", { name: "chars", width: 4 }], context: { units: 8 } },
  head: { name: "span", hidden: 4 },
};

/** The same in the words of version 0.1. */
const older = {
  method: "uniform",
  sampler: { rate: 0.3 },
  bilstm: { units: 8 },
  model: { name: "span", hidden: 4 },
};

export const studyTargets: readonly Target[] = [
  {
    name: "study",
    shape: "lines",
    weight: 0.05,
    seeds: async () => [Buffer.from(study)],
    async run(input, scratch) {
      writeFileSync(join(scratch, "study.yaml"), input);
      await openStudy(scratch);
    },
  },
  {
    name: "results",
    shape: "json-lines",
    weight: 0.5,
    seeds: async () => [Buffer.from(`${JSON.stringify(result)}\n${JSON.stringify(result)}\n`)],
    async run(input, scratch) {
      const file = join(scratch, "results.jsonl");
      writeFileSync(file, input);
      await readResults(file);
    },
  },
  {
    name: "recorded",
    shape: "lines",
    weight: 0.5,
    seeds: async () => [Buffer.from(`${recorded}---\n{"name":"a","kind":"x"}\n{"name":1,"kind":"y"}\n`)],
    async run(input, scratch) {
      const [plan = "", records = ""] = input.toString("utf8").split("---\n");
      writeFileSync(join(scratch, "recorded.yaml"), plan);
      writeFileSync(join(scratch, "results.jsonl"), records);
      await recordedPage(scratch, { level: 2, folder: "here/" });
    },
  },
  {
    name: "settings",
    shape: "json",
    seeds: async () => [settings, older, completeSettings(settings)].map((each) => Buffer.from(JSON.stringify(each))),
    async run(input, scratch) {
      const file = join(scratch, "settings.json");
      writeFileSync(file, input);
      const complete = completeSettings(await readStructured(file, "settings file"));
      ensureEqual(completeSettings(complete), complete, "settings: completed once and twice");
    },
  },
  {
    name: "set",
    shape: "lines",
    seeds: async () => [
      Buffer.from('sampler.rate=0.5\nmethod=uniform\nhead.hidden=8\nencoder={"units":4}\nencoder.layers=2'),
    ],
    async run(input) {
      const lines = input.toString("utf8").split("\n");
      completeSettings(lines.map(settingOf).reduce<Record<string, unknown>>(merge, {}));
    },
  },
];
