import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { missingShares } from "../src/evaluation/index.ts";
import { completeSettings, train } from "../src/methods/index.ts";
import { teacherNames } from "../src/methods/self-train/teachers.ts";
import { annotate, type Sentence } from "../src/text/index.ts";
import { type RunRecord, readSentences } from "../src/training/index.ts";
import { stagesIn, trainInto } from "./support/runs.ts";
import { sentenceOf } from "./support/words.ts";

const people = "Ana Rui Eva Leo Mia Tom Ada Ivo Zoe Gil Noa".split(" ");
const verbs = "met saw knew heard called".split(" ");

/** Two of three people are not labelled. */
function corpus(size: number, isLabelled: (i: number) => boolean): Sentence[] {
  return Array.from({ length: size }, (_, i) =>
    sentenceOf(`then ${people[i % people.length]} ${verbs[i % verbs.length]} us ${i} times`, {
      entities: isLabelled(i) ? [{ start: 1, end: 2, type: "PER" }] : [],
    }),
  );
}
const gaps = [...corpus(90, (i) => i % 3 === 0), sentenceOf("so said Rui here", { complete: [{ start: 0, end: 4 }] })];
const dev = corpus(30, () => true);
const data = { train: gaps, dev, unlabelled: corpus(120, () => false).slice(100) };

const given = {
  method: "self-train",
  encoder: { name: "bilstm", wordWidth: 8, minimumCount: 1, units: 8, dropout: 0 },
  head: { name: "token", dropout: 0 },
  selfTrain: { folds: 2, epochs: 8, patience: 0, rounds: 2, keep: 0.5 },
  epochs: 2,
  rate: 0.02,
  batchTokens: 64,
  threads: 1,
} as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-self-train-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Trains, stopped after so many records. */
async function trained(
  name: string,
  { resume = false, stopAfter = Number.POSITIVE_INFINITY, selfTrain = {}, devSet = dev } = {},
): Promise<RunRecord[]> {
  const stop = new AbortController();
  const records: RunRecord[] = [];
  try {
    const options = { directory: join(folder, name), resume, signal: stop.signal };
    const settings = completeSettings({ ...given, selfTrain: { ...given.selfTrain, ...selfTrain } } as never);
    for await (const record of train({ ...data, dev: devSet }, settings, options)) {
      if (record.kind !== "step") records.push(record);
      if (records.length > stopAfter) stop.abort(new Error("stopped"));
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  return records;
}

describe("self-training", () => {
  it("completes the labels by teachers, keeps them in a file, and its student finds what was hidden", async () => {
    const records = await trained("whole");
    const stages = records.flatMap((record) => (record.kind === "stage" ? [record.name] : []));
    expect(stages).toEqual(["teachers-1", "teachers-2", "student"]);
    const labels = await readSentences([join(folder, "whole", "labels-2.jsonl")]);
    expect(labels.length).toBe(gaps.length + data.unlabelled.length);
    const labelled = (sentences: readonly Sentence[]): number =>
      sentences.filter(({ entities }) => entities.some(({ start, end }) => start === 1 && end === 2)).length;
    expect(labelled(gaps)).toBe(30);
    expect(labelled(labels)).toBeGreaterThan(100);
    // Somebody declared that this sentence holds no entity.
    expect(labels[90]!.entities).toEqual([]);
    const { provenance } = JSON.parse(await readFile(join(folder, "whole", "config.json"), "utf8"));
    expect(provenance.dev.f1).toBeGreaterThan(0.95);
    expect(provenance.prepared.completed).toBeGreaterThan(70);
    expect(existsSync(join(folder, "whole", "stages"))).toBe(false);
  });

  it.each([1, 12, 18, 30, 36])(
    "goes on after an interruption to the same weights (after %i records)",
    async (stopAfter) => {
      if (!existsSync(join(folder, "whole"))) await trained("whole");
      const name = `stopped-${stopAfter}`;
      await trained(name, { stopAfter });
      await trained(name, { resume: true });
      for (const file of ["model.safetensors", "labels-1.jsonl", "labels-2.jsonl", "config.json"]) {
        const [one, other] = await Promise.all(["whole", name].map((each) => readFile(join(folder, each, file))));
        expect(other!.equals(one!)).toBe(true);
      }
    },
  );

  it("counts what each round made of the labels, in a file beside them", async () => {
    if (!existsSync(join(folder, "whole"))) await trained("whole");
    for (const round of [1, 2]) {
      const told = JSON.parse(await readFile(join(folder, "whole", `labels-${round}.json`), "utf8"));
      const labels = await readSentences([join(folder, "whole", `labels-${round}.jsonl`)]);
      const after = labels.reduce((sum, { entities }) => sum + entities.length, 0);
      expect(told.round).toBe(round);
      expect(told.kept + told.replaced).toBe(30);
      // Some of what was replaced became another entity, the rest none.
      expect(after).toBeGreaterThanOrEqual(told.kept + told.completed);
      expect(after).toBeLessThanOrEqual(told.kept + told.completed + told.replaced);
    }
  });

  it("ends its rounds when the labels have settled", async () => {
    const records = await trained("settled", { selfTrain: { rounds: 4, settle: 0.9, epochs: 4 } });
    expect(stagesIn(records)).toEqual(["teachers-1", "student"]);
    expect(existsSync(join(folder, "settled", "labels-1.jsonl"))).toBe(true);
    expect(existsSync(join(folder, "settled", "labels-2.jsonl"))).toBe(false);
  });

  it("keeps a type whose labels its teachers took away", async () => {
    const rare = sentenceOf("then Foo met us", { entities: [{ start: 1, end: 2, type: "RARE" }] });
    await trainInto(join(folder, "rare"), { ...data, train: [...gaps, rare] }, { ...given, epochs: 1 });
    const labels = await readSentences([join(folder, "rare", "labels-2.jsonl")]);
    expect(labels.some(({ entities }) => entities.some(({ type }) => type === "RARE"))).toBe(false);
    expect(JSON.parse(await readFile(join(folder, "rare", "config.json"), "utf8")).types).toEqual(["PER", "RARE"]);
  });

  const other = { name: "bilstm", wordWidth: 4, units: 4, minimumCount: 1, dropout: 0 };
  it.each([...teacherNames, "an encoder of their own"])("has teachers by %s", async (name) => {
    const teacher = name.startsWith("an ") ? { encoder: "words+chars" } : { teacher: name };
    const selfTrain = { folds: 2, epochs: 1, patience: 0, ...teacher };
    const directory = join(folder, `by-${name}`);
    const records = await trainInto(directory, data, {
      ...given,
      encoder: other,
      // Hardly anything is known to be no entity, which partial-crf would have to know.
      head: { ...given.head, prior: 0.1 },
      epochs: 1,
      selfTrain,
    });
    expect(stagesIn(records)).toEqual(["teachers-1", "student"]);
    expect(existsSync(join(directory, "labels-1.jsonl"))).toBe(true);
    expect(JSON.parse(await readFile(join(directory, "config.json"), "utf8")).encoder.settings.units).toBe(4);
  });

  it.each([
    { name: "a dev set that ends them", devSet: dev, selfTrain: { patience: 1 }, most: 6 },
    { name: "a dev set, without patience", devSet: dev, selfTrain: { patience: 0 }, most: 3 },
    { name: "no dev set", devSet: [], selfTrain: { patience: 1 }, most: 3 },
    { name: "half given", devSet: dev, selfTrain: { patience: 1, epochs: "half" }, most: 3 },
  ])("gives teachers up to $most of 6 epochs with $name", async ({ devSet, selfTrain, most }) => {
    const settings = completeSettings({ ...given, epochs: 6, selfTrain: { ...selfTrain, folds: 2 } } as never);
    for await (const record of train({ ...data, dev: devSet }, settings, {
      directory: await mkdtemp(join(folder, "length-")),
    })) {
      if (record.kind !== "stage") continue;
      expect(record).toMatchObject({ name: "teachers-1", epochs: 2 * most });
      break;
    }
  });

  it.each([
    { name: "few labels are wrong", wrong: 0, devSet: dev, keep: 0 },
    { name: "many labels are wrong", wrong: 6, devSet: dev, keep: 0.5 },
    { name: "nobody can tell", wrong: 0, devSet: [], keep: 0.5 },
  ])("keeps labels with at least $keep where $name", async ({ wrong, devSet, keep }) => {
    const directory = await mkdtemp(join(folder, "keep-"));
    const sentences = gaps.map((sentence, i) =>
      i % 9 < wrong
        ? annotate(sentence, { entities: sentence.entities.map((entity) => ({ ...entity, type: "LOC" })) })
        : sentence,
    );
    const settings = completeSettings({ ...given, epochs: 1, selfTrain: { folds: 2, epochs: 1 } } as never);
    for await (const _ of train({ train: sentences, dev: devSet }, settings, { directory })) void _;
    const { training } = JSON.parse(await readFile(join(directory, "config.json"), "utf8"));
    expect(training.selfTrain.keep).toBe(keep);
  });

  it("stops a teacher that gets no better on dev when it has a patience", async () => {
    const evaluationsOf = (records: readonly RunRecord[]): number =>
      records.filter((record) => record.kind === "evaluation" && record.stage?.startsWith("teachers")).length;
    const all = await trained("all-epochs", { selfTrain: { rounds: 1, patience: 0 } });
    const few = await trained("patient", { selfTrain: { rounds: 1, patience: 1 } });
    expect(evaluationsOf(all)).toBe(2 * 8);
    expect(evaluationsOf(few)).toBeLessThan(2 * 8);
  });

  it("without dev shifts its teachers by how much is missing from all sentences, and the student by what they left", async () => {
    const records = await trained("no-dev", { selfTrain: { rounds: 1 }, devSet: [] });
    const evaluations = records.filter((record) => record.kind === "evaluation");
    const teachers = evaluations.filter(({ stage }) => stage?.startsWith("teachers"));
    const { missing } = missingShares(gaps).byType.PER!;
    // A third is labelled.
    expect(Math.abs(missing! - 2 / 3)).toBeLessThan(0.1);
    expect(teachers.length).toBe(2 * 8);
    for (const { shift } of teachers) expect(shift).toEqual({ PER: Math.log(1 - missing!) });
    const students = evaluations.filter(({ stage }) => stage === undefined);
    expect(students.length).toBe(2);
    for (const { shift } of students)
      expect(typeof shift === "number" ? shift : shift!.PER!).toBeGreaterThan(Math.log(0.8));
  });
});
