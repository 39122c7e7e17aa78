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
      tagger: { method: "ce", head: "token" },
      "uniform 2": { method: "uniform", sampler: { rate: 2 } },
      taught: { method: "self-train" },
    },
  },
  groups: [{ method: ["plain", "tagger", "uniform 2"] }, { method: "taught", rate: 0.5 }],
});
/** Of two sentences with ten entities each: plain training finds ten in both seeds, the tagger nine, uniform all. */
const found: Readonly<Record<string, number[]>> = { plain: [5, 5], tagger: [5, 4], "uniform 2": [10, 10] };
const without = { precision: 1, recall: 0.25, f1: 0.4, support: 20 };
const measured = measureAll(study, ({ method }) => found[method!] ?? [0, 0])
  .filter(({ place }) => place.method !== "taught")
  .map((run) =>
    run.place.rate === "0.5"
      ? { ...run, result: { ...run.result, unshifted: { ...without, byType: { A: without } } } }
      : run,
  );
const studies = new Map<string, MeasuredStudy>([
  ["toy", { opened: { study, runs: runsOf(study), file: "study.yaml" }, measured, outdated: 0 }],
]);

const published = 'published: { f1: 70.1, source: "A paper, BERT" }';

function digest(...rows: string[]): Promise<string | undefined> {
  const root = mkdtempSync(join(tmpdir(), "lacuna-digest-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(
    join(root, "digest.yaml"),
    ["title: First", "text: All alike.", "rows:", ...rows.map((row) => `  - { ${row} }`)].join("\n"),
  );
  return digestSection(root, studies);
}

it("has a line for each data set: plain training, the best of some methods on dev, the published figure", async () => {
  const methods = "methods: { plain: [tagger, plain], papers: [uniform 2], selfTraining: [taught] }";
  const text = await digest(
    `data: Toy, study: toy, where: { rate: 0.5 }, ${methods}, ${published}`,
    `data: Toy, study: toy, where: { rate: 0.8 }, methods: { plain: [tagger] }, ${published}`,
  );
  const [title, , common, , head, , ...rows] = text!.split("\n");
  expect([title, common]).toEqual(["## First", "All alike."]);
  expect(head).toBe(
    "| data | plain | plain, shifted | best of the papers' methods | self-training, ensemble or `auto` | seeds | published |",
  );
  // F1 is 2 · 10 / 30 for plain training, 2 · 9 / 29 for the tagger; nothing is left to chance where all seeds agree.
  expect(rows.slice(0, 2)).toEqual([
    "| Toy | 40.00 ± 0.00 | 66.67 ± 0.00 | `uniform 2` 100.00 ± 0.00\\*\\* | – | 2 | 70.10, A paper, BERT |",
    "| Toy | 62.07 ± 0.00 | – | – | – | 2 | 70.10, A paper, BERT |",
  ]);
  expect(rows.at(-2)).toMatch(/^Against plain training with the shift, paired bootstrap/);
});

it("has dashes for what was not run", async () => {
  const text = await digest(
    `data: Toy, study: toy, where: { rate: 0.5 }, methods: { plain: [taught], papers: [taught] }, ${published}`,
  );
  expect(text).toContain("| Toy | – | – | – | – | – | 70.10, A paper, BERT |");
});

it("is nothing without a digest.yaml", async () => {
  expect(await digestSection(tmpdir(), studies)).toBeUndefined();
});

const plain = "methods: { plain: [plain] }";
it.each([
  ["a study that is none", `study: toi, where: {}, ${plain}`, /rows\.0\.study: unknown "toi" \(known: toy\)$/],
  ["an axis that is none", `study: toy, where: { kind: a }, ${plain}`, /rows\.0\.where: unknown axis "kind" \(known: /],
  [
    "a method that is none",
    "study: toy, where: {}, methods: { plain: [cee] }",
    /methods\.plain\.method: unknown "cee" /,
  ],
  ["runs of two rates", `study: toy, where: {}, ${plain}`, /rows\.0: a cell holds runs with rate 0\.5 and 0\.8; /],
  ["a word too many", `study: toy, where: {}, ${plain}, f1: 3`, /not a digest: unknown "rows\.0\.f1"$/],
])("refuses %s", async (_, row, message) => {
  await expect(digest(`data: Toy, ${row}, ${published}`)).rejects.toThrow(message);
});
