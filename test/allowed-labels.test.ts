import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Scorer } from "../src/inference/index.ts";
import { train } from "../src/methods/index.ts";
import { annotate, type Sentence, wholly } from "../src/text/index.ts";
import type { SettingsInput } from "../src/training/index.ts";
import { sentenceOf } from "./support/words.ts";

/** "Ana visited Porto in May": some persons and places are labelled; nobody said anything of the month. */
const people = ["Ana", "Rui", "Eva", "Leo", "Mia", "Tom"];
const places = ["Porto", "Faro", "Braga", "Beja"];
const months = ["May", "June"];
const sentences: Sentence[] = people.flatMap((person, i) =>
  places.map((place, j) =>
    sentenceOf(`${person} visited ${place} in ${months[(i + j) % 2]}`, {
      entities: [
        { start: 0, end: 1, type: "PER" },
        { start: 2, end: 3, type: "LOC" },
      ].filter((_, k) => (i + j) % 3 !== k),
    }),
  ),
);
const month = { start: 4, end: 5 };
const rejected = sentences.map((each) => annotate(each, { rejected: [{ ...month, type: "PER" }] }));
const complete = sentences.map((each) => annotate(each, { complete: wholly(5, ["PER"]) }));

const small: SettingsInput = {
  encoder: { name: "bilstm", wordWidth: 8, minimumCount: 1, units: 8, dropout: 0 },
  rate: 0.02,
  batchTokens: 32,
  threads: 1,
  epochs: 4,
  patience: 0,
};
const span = { head: { hidden: 12, dropout: 0 } };
const open = { name: "token", dropout: 0, unknown: "any" };

/** Every head with every objective that it takes, and every kind of sampler. */
const recipes: [string, SettingsInput][] = [
  ["spans, uniform", { method: "uniform", ...span }],
  ["spans, weighted", { method: "weighted", ...span }],
  ["spans, top-neg", { method: "top-neg", sampler: { rate: 0.1 }, ...span }],
  ["spans, nrces", { method: "nrces", sampler: { share: 0.1 }, ...span }],
  ["spans, contrastive", { method: "scl", ...span }],
  ["spans, retrieval", { method: "scl-rai", inference: { alpha: 0.3 }, ...span }],
  ["tokens, crf", { method: "ce", head: open }],
  ["tokens, softmax", { method: "ce", head: { ...open, output: "softmax" } }],
  ["mrc", { method: "mrc", head: { hidden: 12, dropout: 0, unknown: "any" } }],
  ["autoner", { method: "autoner", head: { hidden: 12, dropout: 0, unknown: "any" } }],
  ["tokens, softmax, nrces", { method: "nrces", sampler: "all", head: { ...open, output: "softmax" } }],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-allowed-"));
});
afterAll(() => rm(folder, { recursive: true }));

let runs = 0;
/** Trains, and gives the weights and the mean probability of each type (all its tags together) at the month. */
async function trained(data: readonly Sentence[], given: SettingsInput) {
  const directory = join(folder, String(runs++));
  // A tagger that leaves unknown tokens open needs text that is known to hold no entity.
  const clean = sentenceOf("nothing is known here", { complete: wholly(4) });
  for await (const _ of train({ train: [...data, clean], dev: [] }, { ...small, ...given }, { directory })) void _;
  const scorer = await Scorer.load(directory, { runtime: { threads: 1 } });
  const totals: Record<string, number> = { PER: 0, LOC: 0 };
  for await (const { items, logProbs } of scorer.scores(data)) {
    const [starts, ends] = [items.starts(), items.ends()];
    const at = starts.findIndex((start, i) => start === month.start && ends[i] === month.end);
    scorer.labels.forEach((label, i) => {
      const type = label.replace(/^.-/, "");
      if (type in totals) totals[type]! += Math.exp(logProbs[at * scorer.labels.length + i]!) / data.length;
    });
  }
  await scorer.dispose();
  return { weights: await readFile(join(directory, "model.safetensors")), at: totals as { PER: number; LOC: number } };
}

describe.each(recipes)("%s", (_, given) => {
  it("learns from a rejection of one type: that type becomes improbable there, the others do not", async () => {
    const [silent, told] = [await trained(sentences, given), await trained(rejected, given)];
    expect(told.weights.equals(silent.weights)).toBe(false);
    expect(told.at.PER).toBeLessThan(silent.at.PER);
    expect(told.at.PER).toBeLessThan(0.15);
    // What is not rejected as a place stays at least as probable, beside what the other type loses.
    expect(told.at.LOC / (1 - told.at.PER)).toBeGreaterThan(0.5 * (silent.at.LOC / (1 - silent.at.PER)));
  });

  it("learns from completeness for one type", async () => {
    const [silent, told] = [await trained(sentences, given), await trained(complete, given)];
    expect(told.weights.equals(silent.weights)).toBe(false);
    expect(told.at.PER).toBeLessThan(Math.max(0.15, silent.at.PER));
  });
});

it("what is said of no type at all changes nothing", async () => {
  const idle = sentences.map((each) => annotate(each, { complete: wholly(5, ["ORG"]) }));
  const [silent, told] = [await trained(sentences, recipes[0]![1]), await trained(idle, recipes[0]![1])];
  expect(told.weights.equals(silent.weights)).toBe(true);
});

it("plain training takes silence for O already, so that a rejection adds nothing", async () => {
  const plain = { method: "ce", ...span };
  const [silent, told] = [await trained(sentences, plain), await trained(rejected, plain)];
  expect(told.at.PER).toBeCloseTo(silent.at.PER, 3);
  expect(told.at.LOC).toBeCloseTo(silent.at.LOC, 3);
});

it("spans of which nothing is said do not train without a sampler, and some text must say what is no entity", async () => {
  const given = { ...small, method: "ce", sampler: "none", ...span };
  await expect(async () => {
    for await (const _ of train({ train: sentences, dev: [] }, given as never, { directory: join(folder, "none") }));
  }).rejects.toThrow("sampler none: some text must be known to hold no entity");
  const { at } = await trained(complete, { method: "ce", sampler: "none", ...span });
  expect(at.PER).toBeLessThan(0.1);
});
