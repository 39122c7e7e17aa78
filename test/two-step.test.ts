import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Recogniser } from "../src/inference/index.ts";
import { completeSettings, train } from "../src/methods/index.ts";
import type { Sentence } from "../src/text/index.ts";
import type { RunRecord, SettingsInput } from "../src/training/index.ts";
import { sentenceOf } from "./support/words.ts";

const people = ["Ana", "Rui", "Eva", "Leo", "Mia", "Tom"];
const places = ["Porto", "Faro", "Braga", "Beja"];

/** "Ana lives in Porto"; every fourth person is hidden. */
const hiddenPerson = (i: number, j: number): boolean => (i + j) % 4 === 0;
const sentences: Sentence[] = people.flatMap((person, i) =>
  places.map((place, j) => {
    const entities = [
      { start: 0, end: 1, type: "PER" },
      { start: 3, end: 4, type: "LOC" },
    ].filter(({ type }) => type === "LOC" || !hiddenPerson(i, j));
    return sentenceOf(`${person} lives in ${place}`, { entities });
  }),
);
const hidden = people.flatMap((_, i) =>
  places.map((_place, j) => (hiddenPerson(i, j) ? [{ start: 0, end: 1, type: "PER" }] : [])),
);
const data = { train: sentences, dev: [], hidden };

const small = {
  encoder: { wordWidth: 8, minimumCount: 1, units: 8, dropout: 0.1 },
  rate: 0.02,
  batchTokens: 16,
  threads: 1,
  epochs: 3,
};

/** Of 54 unlabelled tokens 6 are hidden: the ninth part. */
const twoStep = { ...small, method: "two-step", explore: { epochs: 3, remove: 1 / 9 }, head: { dropout: 0.1 } };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-two-step-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function trained(name: string, given: SettingsInput, options: { stopAt?: number; resume?: boolean } = {}) {
  const directory = join(folder, name);
  const controller = new AbortController();
  const target = { directory, resume: options.resume ?? false, signal: controller.signal };
  const records: RunRecord[] = [];
  try {
    for await (const record of train(data, completeSettings(given), target)) {
      records.push(record);
      if (records.length === options.stopAt) controller.abort(new Error("stopped"));
    }
  } catch (error) {
    if ((error as Error).message !== "stopped") throw error;
  }
  return { directory, records };
}

const weights = (directory: string): Promise<Buffer> => readFile(join(directory, "model.safetensors"));
const lines = async (directory: string, file: string): Promise<Record<string, unknown>[]> =>
  (await readFile(join(directory, file), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the two-step method", () => {
  it("explores, lists what it takes out, and starts anew", async () => {
    const { directory, records } = await trained("whole", twoStep);
    expect(records.filter(({ kind }) => kind !== "step").map(({ kind }) => kind)).toEqual([
      "start",
      "stage",
      "evaluation",
      "evaluation",
      "evaluation",
      "prepared",
      "stage",
      "evaluation",
      "evaluation",
      "evaluation",
    ]);
    expect(records.find(({ kind }) => kind === "prepared")).toMatchObject({
      facts: { removedTokens: 6, unknownTokens: 54 },
      summary: "6 of 54 tokens without a label are taken out of training; the model starts anew",
      files: [join(directory, "removed.jsonl")],
    });

    const removed = await lines(directory, "removed.jsonl");
    const gaps = hidden.flatMap((entities, i) => (entities.length > 0 ? [i + 1] : []));
    expect(removed.map(({ sentence }) => sentence as number).sort((a, b) => a - b)).toEqual(gaps);
    expect(removed.map(({ value }) => value)).toEqual(
      removed.map(({ value }) => value as number).sort((a, b) => a - b),
    );
    const { sentence, token, left, right } = removed[0]!;
    expect([token, left]).toEqual([1, ""]);
    expect(`${removed[0]!.text} ${right}`).toBe(sentences[(sentence as number) - 1]!.text);

    const metrics = await lines(directory, "metrics.jsonl");
    expect(metrics.map(({ stage }) => stage)).toEqual([
      "explore",
      "explore",
      "explore",
      undefined,
      undefined,
      undefined,
    ]);
    // Exploring, 6 of the 54 tokens that train as O are hidden; afterwards none of the 48 that are left.
    expect(metrics.map(({ missampling }) => missampling)).toEqual([6 / 54, 6 / 54, 6 / 54, 0, 0, 0]);
    expect(metrics.at(-1)).toMatchObject({ negatives: 48 });
    expect((await readdir(directory)).sort()).toEqual([
      "README.md",
      "config.json",
      "metrics.jsonl",
      "model.safetensors",
      "removed.jsonl",
      "vocabulary.json",
    ]);
  });

  it("never predicts the extra type, and a loaded model predicts with scores", async () => {
    const recogniser = await Recogniser.load(join(folder, "whole"));
    expect(recogniser.types).toEqual(["LOC", "PER"]);
    const tagged = await recogniser.sentences(sentences);
    await recogniser.dispose();
    const found = tagged.flatMap(({ entities }) => entities);
    expect(new Set(found.map(({ type }) => type))).toEqual(new Set(["LOC", "PER"]));
    expect(found.every(({ score }) => score! > 0 && score! <= 1)).toBe(true);
  });

  it("goes on to the same bits from anywhere: within the first stage, between the two, within the second", async () => {
    const { records } = await trained("again", twoStep);
    const whole = await weights(join(folder, "again"));
    expect(whole.equals(await weights(join(folder, "whole")))).toBe(true);
    const at = (kind: RunRecord["kind"], nth = 0): number =>
      records.map((record, i) => (record.kind === kind ? i + 1 : 0)).filter((i) => i > 0)[nth]!;
    const restart = at("stage", 1);
    for (const stopAt of [at("step", 3), at("evaluation", 1), at("evaluation", 2), restart + 2, at("evaluation", 3)]) {
      const name = `stopped-${stopAt}`;
      await trained(name, twoStep, { stopAt });
      expect((await readdir(join(folder, name))).includes("checkpoint")).toBe(true);
      const { directory } = await trained(name, twoStep, { resume: true });
      expect((await weights(directory)).equals(whole), `stopped after record ${stopAt}`).toBe(true);
      for (const file of ["metrics.jsonl", "removed.jsonl"]) {
        expect(await readFile(join(directory, file), "utf8")).toBe(await readFile(join(folder, "whole", file), "utf8"));
      }
    }
  });

  it("goes on when it was killed before its first checkpoint, or while it took its stages away", async () => {
    const { directory } = await trained("killed", twoStep);
    const whole = await weights(directory);
    await mkdir(join(directory, "stages", "explore"), { recursive: true });
    await expect(trained("killed", twoStep)).rejects.toThrow("go on with --resume");
    const { records } = await trained("killed", twoStep, { resume: true });
    expect(records).toEqual([]);
    expect((await readdir(directory)).includes("stages")).toBe(false);
    await mkdir(join(folder, "begun", "stages", "explore"), { recursive: true });
    const begun = await trained("begun", twoStep, { resume: true });
    expect(await weights(begun.directory)).toEqual(whole);
  });

  it("with nothing to take out and nothing to draw is plain training of the tagger", async () => {
    const head = { scores: "angle", dropout: 0.1 };
    const plain = await trained("plain", { ...small, method: "ce", head: { name: "token", ...head } });
    const idle = await trained("idle", {
      ...small,
      method: "two-step",
      explore: { remove: 0 },
      head: { ...head, non: { rate: 0 } },
    });
    expect((await weights(plain.directory)).equals(await weights(idle.directory))).toBe(true);
    expect(idle.records.some(({ kind }) => kind === "stage")).toBe(false);
  });

  it.each([
    ["literal", "crf"],
    ["emission", "crf"],
    ["break", "crf"],
    ["marginal", "crf"],
    ["literal", "softmax"],
  ])("trains with removal %s and output %s", async (removal, output) => {
    const { directory } = await trained(`${removal}-${output}`, {
      ...twoStep,
      epochs: 1,
      head: { removal, output, scheme: "bmeso" },
    });
    expect((await lines(directory, "metrics.jsonl")).every(({ loss }) => Number.isFinite(loss))).toBe(true);
  });

  it("is refused for span models, and an angle for a head that has none", async () => {
    await expect(trained("span", { ...twoStep, head: "span" })).rejects.toThrow(
      'method two-step: takes single tokens out of training, so head must be "token", got "span"',
    );
    await expect(trained("linear", { ...twoStep, head: { scores: "linear" } })).rejects.toThrow(
      'method two-step: explore.value "angle" needs head.scores=angle, got linear (others: centered, logprob, raw)',
    );
    const { records } = await trained("raw", {
      ...twoStep,
      epochs: 1,
      head: { scores: "linear" },
      explore: { epochs: 1, remove: 0.1, value: "raw" },
    });
    expect(records.some(({ kind }) => kind === "prepared")).toBe(true);
  });
});
