import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { completeSettings } from "../src/methods/index.ts";
import type { Sentence } from "../src/text/index.ts";
import { differing, stagesIn, trainInto } from "./support/runs.ts";
import { sentenceOf } from "./support/words.ts";

const people = "Ana Rui Eva Leo Mia Tom".split(" ");

/** Every sixth person is not labelled, and every eighth label is wrong. */
const train: Sentence[] = Array.from({ length: 48 }, (_, i) =>
  sentenceOf(`then ${people[i % people.length]} met us in Faro ${i % 4}`, {
    entities: [
      ...(i % 6 === 5 ? [] : [{ start: 1, end: 2, type: i % 8 === 0 ? "LOC" : "PER" }]),
      { start: 5, end: 6, type: "LOC" },
    ],
  }),
);
const data = { train, dev: train.filter((_, i) => i % 8 !== 0 && i % 6 !== 5).slice(0, 10) };

const small = {
  encoder: { name: "bilstm", wordWidth: 6, minimumCount: 1, units: 6, dropout: 0 },
  head: { dropout: 0 },
  rate: 0.03,
  batchTokens: 64,
  threads: 1,
};
const cases = {
  bond: {
    settings: { ...small, method: "bond", epochs: 3, bond: { early: 4, every: 2 } },
    stages: ["early", "round-1", "round-2"],
    continued: 2,
    stops: [2, 7, 10],
    facts: ["kept", "leftOut"],
  },
  roster: {
    settings: {
      ...small,
      method: "roster",
      epochs: 2,
      roster: { members: 2, rounds: 2, every: 2, selfRounds: 1 },
    },
    stages: [
      ...["member-1", "member-1, warm", "member-1, robust-1", "member-1, robust-2"],
      ...["member-2", "member-2, warm", "member-2, robust-1", "member-2, robust-2", "distil", "self-1"],
    ],
    continued: 5,
    stops: [6, 12, 21],
    facts: ["targets", "sharpened"],
  },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-own-labels-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(Object.entries(cases))("the method %s", (name, { settings, stages, continued, stops, facts }) => {
  it("trains its stages, each from where another ended, and goes on after any interruption to the same weights", async () => {
    const whole = join(folder, name);
    const records = await trainInto(whole, data, settings);
    expect(stagesIn(records)).toEqual(stages);
    const evaluations = records.flatMap((record) => (record.kind === "evaluation" ? [record] : []));
    // What a stage starts from is what the stage before kept.
    for (const [i, { epoch, dev }] of evaluations.entries()) {
      if (epoch !== 0) continue;
      const before = evaluations
        .slice(0, i)
        .filter(({ improved }) => improved)
        .at(-1)!;
      expect(dev!.f1).toBe(before.dev!.f1);
    }
    expect(evaluations.filter(({ epoch }) => epoch === 0).length).toBe(continued);
    const { provenance } = JSON.parse(await readFile(join(whole, "config.json"), "utf8"));
    expect(Object.keys(provenance.prepared)).toEqual(facts);
    for (const stopAfter of stops) {
      const stopped = join(folder, `${name}-${stopAfter}`);
      await trainInto(stopped, data, settings, { stopAfter });
      expect(existsSync(join(stopped, "stages"))).toBe(true);
      await trainInto(stopped, data, settings, { resume: true });
      expect(await differing(whole, stopped, ["model.safetensors", "config.json", "metrics.jsonl"])).toEqual([]);
    }
  });
});

describe.each(["mrc", "autoner"])("with the head %s", (name) => {
  const head = { name, hidden: 8, maxWidth: 2, dropout: 0 };

  it("bond and roster train; roster without its bounded loss", async () => {
    for (const { settings, stages } of Object.values(cases)) {
      const directory = join(folder, `${name}-${settings.method}`);
      const records = await trainInto(directory, data, { ...settings, head, objective: "cross-entropy" });
      expect(stagesIn(records)).toEqual(stages);
      const losses = records.flatMap((record) => (record.kind === "evaluation" && record.loss ? [record.loss] : []));
      expect(losses.length).toBeGreaterThan(0);
      expect(losses.every(Number.isFinite)).toBe(true);
    }
    await expect(trainInto(join(folder, `${name}-gce`), data, { ...cases.roster.settings, head })).rejects.toThrow(
      `head ${name}: objective must be "cross-entropy", got "gce"`,
    );
  });

  it("bond refuses to leave silence open", async () => {
    const open = { ...small, method: "bond", head: { ...head, unknown: "any" } };
    await expect(trainInto(join(folder, `${name}-open`), data, open)).rejects.toThrow(
      'head.unknown "outside", got "any"',
    );
  });
});

it("bond refuses to leave silence open, which its plain negatives are", async () => {
  const open = { ...small, method: "bond", head: { unknown: "any" } };
  await expect(trainInto(join(folder, "open"), data, open)).rejects.toThrow('head.unknown "outside", got "any"');
  const preset = completeSettings({ method: "bond", preset: "code" });
  expect(preset).toMatchObject({ bond: { early: 1, sure: 0.9, group: 16 }, decode: { shift: 0 } });
});

it.each([
  { name: "a dev set that ends them", dev: data.dev, patience: 2, early: 10 },
  { name: "a dev set, without patience", dev: data.dev, patience: 0, early: 3 },
  { name: "no dev set", dev: [], patience: 2, early: 3 },
])("bond has up to $early early epochs with $name", async ({ dev, patience, early }) => {
  const directory = await mkdtemp(join(folder, "early-"));
  const records = await trainInto(
    directory,
    { train, dev },
    { ...small, method: "bond", epochs: 1, patience },
    { stopAfter: 1 },
  );
  expect(records.find(({ kind }) => kind === "stage")).toEqual({ kind: "stage", name: "early", epochs: early });
});
