import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAll } from "../src/formats/index.ts";
import { Recogniser } from "../src/inference/index.ts";
import type { Sentence } from "../src/text/index.ts";
import type { RunRecord } from "../src/training/index.ts";
import { expectSameFiles, trainInto } from "./support/runs.ts";
import { sentenceOf } from "./support/words.ts";

const people = "Ana Rui Eva Leo Mia Tom Ada Ivo Zoe Gil Noa".split(" ");
const places = "Porto Faro Braga Beja Lagos".split(" ");

/** "then Ana left old Porto": the name of a place has two words; a third of the people is not labelled. */
function corpus(size: number, isLabelled: (i: number) => boolean): Sentence[] {
  return Array.from({ length: size }, (_, i) =>
    sentenceOf(`then ${people[i % people.length]} left New ${places[i % places.length]} again`, {
      entities: [...(isLabelled(i) ? [{ start: 1, end: 2, type: "PER" }] : []), { start: 3, end: 5, type: "LOC" }],
    }),
  );
}
const data = { train: corpus(66, (i) => i % 3 !== 0), dev: corpus(22, () => true) };

const small = {
  encoder: { name: "bilstm", wordWidth: 8, minimumCount: 1, units: 8, dropout: 0 },
  head: { dropout: 0 },
  epochs: 12,
  rate: 0.03,
  batchTokens: 64,
  patience: 0,
  threads: 1,
};
const bnpu = { ...small, method: "bnpu", pu: { rounds: 1 } };
const confMpu = { ...small, method: "conf-mpu", objective: { priors: { LOC: 0.01, PER: 0.1 } } };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-pu-"));
});
afterAll(() => rm(folder, { recursive: true }));

const config = async (name: string) => JSON.parse(await readFile(join(folder, name, "config.json"), "utf8"));
const labelledAs = async (file: string, type: string): Promise<number> =>
  (await readAll([join(folder, file)], { format: "lacuna" }))
    .flatMap(({ sentences }) => sentences)
    .flatMap(({ entities }) => entities.filter((entity) => entity.type === type)).length;
const summaries = (records: readonly RunRecord[]): string[] =>
  records.flatMap((record) => (record.kind === "prepared" ? [record.summary] : []));

describe("bnpu", () => {
  it("estimates the priors, says them and keeps them; its phrases join the labels; it finds what was hidden", async () => {
    const records = await trainInto(join(folder, "bnpu"), data, bnpu);
    const [priors, phrases] = summaries(records);
    expect(priors).toMatch(/^share of each type among the tokens without a label: LOC .*, PER 0\.\d+ \(estimated/);
    expect(phrases).toMatch(/^round 1: \d+ phrases are found wherever they stand.*; share of each type .* PER 0/);
    const { training, provenance, head } = await config("bnpu");
    // The people that the first round found are no longer among the tokens without a label.
    const [before, after] = records.flatMap((record) => (record.kind === "prepared" ? [record.facts] : []));
    expect(before!.PER).toBeGreaterThan(0.02);
    const silent = 66 * 6 - 66 * 2 - 44;
    const found = (await labelledAs("bnpu/labels-1.jsonl", "PER")) - 44;
    expect(found).toBeGreaterThan(0);
    const left = Math.max(0, before!.PER! * silent - found);
    expect(after!.PER).toBeCloseTo(left / (silent - found), 10);
    expect(training.objective.priors).toEqual({ LOC: after!.LOC, PER: after!.PER });
    expect(head).toMatchObject({ name: "token", scheme: "io", output: "softmax" });
    expect(provenance.dev.f1).toBeGreaterThan(0.9);
  });

  it("takes a run of tokens of one type for an entity, and its decision can be shifted", async () => {
    if (!existsSync(join(folder, "bnpu"))) await trainInto(join(folder, "bnpu"), data, bnpu);
    const found = async (shift: number): Promise<string[]> => {
      const recogniser = await Recogniser.load(join(folder, "bnpu"), { decode: { shift } });
      const tagged = await recogniser.tag("then Ana left New Porto again");
      await recogniser.dispose();
      return tagged.map(({ text, type }) => `${text}/${type}`);
    };
    expect(await found(0)).toEqual(["Ana/PER", "New Porto/LOC"]);
    expect(await found(60)).toEqual([]);
  });

  it("keeps priors that are given in every round, and refuses those of no type", async () => {
    const given = { ...bnpu, epochs: 3, objective: { priors: { PER: 0.07 } } };
    await trainInto(join(folder, "given"), data, given);
    expect((await config("given")).training.objective.priors.PER).toBe(0.07);
    const misspelt = { ...given, objective: { priors: { PRE: 0.03 } } };
    await expect(trainInto(join(folder, "misspelt"), data, misspelt)).rejects.toThrow(
      'objective.priors: unknown type "PRE" (known: LOC, PER)',
    );
    expect(existsSync(join(folder, "misspelt"))).toBe(false);
  });

  it.each([1, 8, 16, 25])("goes on after an interruption to the same weights (after %i records)", async (stopAfter) => {
    if (!existsSync(join(folder, "bnpu"))) await trainInto(join(folder, "bnpu"), data, bnpu);
    const name = join(folder, `stopped-${stopAfter}`);
    await trainInto(name, data, bnpu, { stopAfter });
    await trainInto(name, data, bnpu, { resume: true });
    await expectSameFiles(join(folder, "bnpu"), name, ["model.safetensors", "labels-1.jsonl", "config.json"]);
  });

  it("is refused for tags that say more than the type, and for other heads and objectives", async () => {
    const refused = (more: object): Promise<unknown> => trainInto(join(folder, "no"), data, { ...bnpu, ...more });
    await expect(refused({ head: { scheme: "bio" } })).rejects.toThrow("got scheme=bio and output=softmax");
    await expect(refused({ head: { name: "span" } })).rejects.toThrow('got head "span"');
    await expect(refused({ objective: "cross-entropy" })).rejects.toThrow('got "cross-entropy"');
  });
});

describe("conf-mpu", () => {
  it("learns to tell entities first, then their types, without likely entities as negatives", async () => {
    const records = await trainInto(join(folder, "conf"), data, confMpu);
    const stages = records.flatMap((record) => (record.kind === "stage" ? [record.name] : []));
    expect(stages).toEqual(["entities", "train"]);
    expect(summaries(records)[1]).toMatch(/^\d+ tokens without a label look like parts of entities/);
    const { provenance, training } = await config("conf");
    expect(training.objective.priors).toEqual({ LOC: 0.01, PER: 0.1 });
    expect(provenance.prepared).toMatchObject({ tokens: 66 * 6 });
    expect(provenance.dev.f1).toBeGreaterThan(0.9);
  });

  it.each([6, 20])("goes on after an interruption to the same weights (after %i records)", async (stopAfter) => {
    if (!existsSync(join(folder, "conf"))) await trainInto(join(folder, "conf"), data, confMpu);
    const name = join(folder, `conf-${stopAfter}`);
    await trainInto(name, data, confMpu, { stopAfter });
    await trainInto(name, data, confMpu, { resume: true });
    await expectSameFiles(join(folder, "conf"), name, ["model.safetensors", "config.json"]);
  });
});
