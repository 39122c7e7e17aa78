import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeSettings } from "../src/methods/index.ts";
import type { Sentence } from "../src/text/index.ts";
import { crossFit, type RunRecord, readSentences } from "../src/training/index.ts";
import { expectSameFiles, trainInto } from "./support/runs.ts";
import { sentenceOf } from "./support/words.ts";

const people = "Ana Rui Eva Leo Mia Tom Ada Ivo Zoe Gil Noa".split(" ");
const verbs = "met saw knew heard called".split(" ");

/** Every second person is not labelled. */
function corpus(size: number, isLabelled: (i: number) => boolean): Sentence[] {
  return Array.from({ length: size }, (_, i) =>
    sentenceOf(`then ${people[i % people.length]} ${verbs[i % verbs.length]} us ${i} times`, {
      entities: isLabelled(i) ? [{ start: 1, end: 2, type: "PER" }] : [],
    }),
  );
}
const train = [
  ...corpus(60, (i) => i % 4 !== 0),
  sentenceOf("so said Rui here", { complete: [{ start: 0, end: 4 }], unsure: [{ start: 2, end: 3 }] }),
];
const data = { train, dev: corpus(11, () => true) };

const given = {
  method: "weighted-partial-crf",
  encoder: { name: "bilstm", wordWidth: 8, minimumCount: 1, units: 8, dropout: 0 },
  head: { dropout: 0 },
  completion: { rounds: 2, epochs: 5, settle: 0 },
  epochs: 2,
  rate: 0.03,
  batchTokens: 64,
  threads: 1,
};
const soft = { ...given, completion: { ...given.completion, kind: "soft" } };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-weighted-crf-"));
});
afterAll(() => rm(folder, { recursive: true }));

const stagesOf = (records: readonly RunRecord[]): string[] =>
  records.flatMap((record) => (record.kind === "stage" ? [record.name] : []));

describe("the weighted partial CRF", () => {
  it("completes the labels round by round, keeps what is given, and finds what was hidden", async () => {
    const records = await trainInto(join(folder, "hard"), data, given);
    expect(stagesOf(records)).toEqual(["round-1", "round-2", "train"]);
    const labels = await readSentences([join(folder, "hard", "labels-2.jsonl")]);
    const labelled = labels.filter(({ entities }) => entities.some(({ start, end }) => start === 1 && end === 2));
    expect(labelled.length).toBeGreaterThan(55);
    // Somebody declared that this sentence holds no entity.
    expect(labels[60]!.entities).toEqual([]);
    const { provenance } = JSON.parse(await readFile(join(folder, "hard", "config.json"), "utf8"));
    expect(provenance.dev.f1).toBeGreaterThan(0.9);
    expect(provenance.prepared).toMatchObject({ round: 2, openTokens: 60 * 6 - 45 });
    expect(existsSync(join(folder, "hard", "stages"))).toBe(false);
  });

  it("ends its rounds when hardly any tag changes any more", async () => {
    const patient = { ...given, completion: { ...given.completion, rounds: 4, settle: 1 } };
    const records = await trainInto(join(folder, "settled"), data, patient);
    expect(stagesOf(records)).toEqual(["round-1", "round-2", "train"]);
  });

  it("weighs sequences with the shares of tags where completions are soft", async () => {
    await trainInto(join(folder, "soft"), data, soft);
    const { provenance } = JSON.parse(await readFile(join(folder, "soft", "config.json"), "utf8"));
    expect(provenance.dev.f1).toBeGreaterThan(0.9);
  });

  it.each([1, 8, 17, 22])("goes on after an interruption to the same weights (after %i records)", async (stopAfter) => {
    if (!existsSync(join(folder, "hard"))) await trainInto(join(folder, "hard"), data, given);
    const name = join(folder, `stopped-${stopAfter}`);
    await trainInto(name, data, given, { stopAfter });
    await trainInto(name, data, given, { resume: true });
    await expectSameFiles(join(folder, "hard"), name, ["model.safetensors", "labels-2.jsonl", "config.json"]);
  });

  it("goes on with soft completions and settled rounds, too", async () => {
    const quick = { ...soft, completion: { ...soft.completion, rounds: 3, settle: 1 } };
    await trainInto(join(folder, "quick"), data, quick);
    const name = join(folder, "quick-stopped");
    await trainInto(name, data, quick, { stopAfter: 24 });
    expect(existsSync(join(name, "stages"))).toBe(true);
    await trainInto(name, data, quick, { resume: true });
    await expectSameFiles(join(folder, "quick"), name, ["model.safetensors", "config.json"]);
  });

  it("hands what is known of single tokens to the fold that trains on them", async () => {
    const settings = completeSettings({ ...given, epochs: 4 });
    const hidden = [...train.keys()].filter((number) => number < 60 && number % 4 === 0);
    const taught = hidden.map((sentence) => ({ sentence, start: 1, end: 2, weight: 1, target: [0, 1, 0] }));
    const meanOf = async (name: string, adjustments: typeof taught): Promise<number> => {
      const fitted = await crossFit(train, settings, { directory: join(folder, name), folds: 2, adjustments });
      const found = [...fitted.scores()].filter(({ sentence }) => hidden.includes(sentence));
      // The probability of B-PER at the second token.
      return found.reduce((sum, { scores }) => sum + Math.exp(scores.logProbs[3 + 1]!), 0) / found.length;
    };
    expect(await meanOf("taught", taught)).toBeGreaterThan((await meanOf("untaught", [])) + 0.05);
  });

  it("is refused for what has no sequences of tags", async () => {
    const refused = (head: object): Promise<unknown> => trainInto(join(folder, "no"), data, { ...given, head });
    await expect(refused({ name: "span" })).rejects.toThrow('head must be "token" with output=crf, got "span"');
    await expect(refused({ output: "softmax" })).rejects.toThrow('got "token" with output=softmax');
  });

  it("has the readings of paper and code", () => {
    const at = (preset: string) => completeSettings({ method: "weighted-partial-crf", preset });
    expect(at("paper")).toMatchObject({ completion: { kind: "soft", rounds: 10, folds: 2, epochs: "all" } });
    expect(at("code")).toMatchObject({ completion: { kind: "hard", rounds: 10 } });
  });
});
