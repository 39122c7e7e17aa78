import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { MeasuredStudy } from "../studies/measured.ts";
import { makeStudy, measureAll, runsOf } from "../studies/study.suite.ts";
import { digestSection } from "./digest.ts";

const study = makeStudy({
  axes: {
    method: {
      plain: { method: "ce" },
      "uniform 2": { method: "uniform", sampler: { rate: 2 } },
      tagger: { method: "ce", model: "token" },
    },
  },
  groups: [
    { method: ["plain", "uniform 2"] },
    { method: "tagger", rate: 0.5, seed: 1 },
    { method: "tagger", rate: 0.8 },
  ],
});
/** Two sentences of ten entities; seed 2 finds ten of them, seed 1 five. Taggers at 0.8 were not run. */
const measured = measureAll(study, ({ seed }) => (seed === "2" ? [5, 5] : [3, 2])).filter(
  ({ place }) => place.method !== "tagger" || place.rate === "0.5",
);
const studies = new Map<string, MeasuredStudy>([
  ["toy", { opened: { study, runs: runsOf(study), file: "study.yaml" }, measured, outdated: 0 }],
]);

function digest(...rows: string[]): Promise<string | undefined> {
  const root = mkdtempSync(join(tmpdir(), "lacuna-digest-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(
    join(root, "digest.yaml"),
    ["title: First", "rows:", ...rows.map((row) => `  - { ${row} }`)].join("\n"),
  );
  return digestSection(root, studies);
}

it("has a row for chosen runs, with the mean over seeds beside the published figure", async () => {
  const text = await digest(
    "data: Toy, study: toy, where: { method: plain, rate: 0.5 }",
    'data: Toy, study: toy, where: { method: uniform 2, rate: 0.8 }, published: { f1: 70.1, source: "A paper, BERT" }',
    "data: Toy, study: toy, where: { method: tagger, rate: 0.5 }",
  );
  // F1 is 2 · 5 / 25 and 2 · 10 / 30.
  const model = "BiLSTM 200; 2.5 M (1.0 M word vectors) | 3";
  expect(text?.split("\n")).toEqual([
    "## First",
    "",
    "| data | method | model, encoder; parameters | epochs | seeds | test F1 | published |",
    "| --- | --- | --- | ---: | ---: | ---: | --- |",
    `| Toy | ce | spans, ${model} | 2 | 53.33 ± 18.86 |  |`,
    `| Toy | uniform 2 | spans, ${model} | 2 | 53.33 ± 18.86 | 70.10, A paper, BERT |`,
    `| Toy | ce | tagger, ${model} | 1 | 40.00 |  |`,
    "",
  ]);
});

it("is nothing without a digest.yaml", async () => {
  expect(await digestSection(tmpdir(), studies)).toBeUndefined();
});

it.each([
  ["a study that is none", "study: toi, where: {}", /not a digest: rows\.0\.study: unknown "toi" \(known: toy\)$/],
  [
    "an axis that is none",
    "study: toy, where: { kind: a }",
    /not a digest: rows\.0\.where: unknown axis "kind" \(known: /,
  ],
  [
    "a value that is none",
    "study: toy, where: { method: cee }",
    /not a digest: rows\.0\.where\.method: unknown "cee" /,
  ],
  ["runs of two rates", "study: toy, where: { method: plain }", /rows\.0: a cell holds runs with rate 0\.5 and 0\.8; /],
  ["runs without results", "study: toy, where: { method: tagger, rate: 0.8 }", /rows\.0: no run of toy has a result$/],
  ["a word too many", "study: toy, where: {}, f1: 3", /not a digest: unknown "rows\.0\.f1"$/],
])("refuses %s", async (_, row, message) => {
  await expect(digest(`data: Toy, ${row}`)).rejects.toThrow(message);
});
