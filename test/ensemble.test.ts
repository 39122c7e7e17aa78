import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { heads } from "../src/heads/index.ts";
import { Scorer } from "../src/inference/index.ts";
import { completeSettings, type TrainSettings, train } from "../src/methods/index.ts";
import { meanShares, openItems, taught } from "../src/methods/teaching.ts";
import type { Sentence } from "../src/text/index.ts";
import { differing, stagesIn, trainInto } from "./support/runs.ts";
import { sentenceOf } from "./support/words.ts";

const people = "Ana Rui Eva Leo Mia Tom".split(" ");

/** Every third person is not labelled. */
const sentences: Sentence[] = Array.from({ length: 24 }, (_, i) =>
  sentenceOf(`then ${people[i % people.length]} Lopes met us ${i % 5}`, {
    entities: i % 3 === 0 ? [] : [{ start: 1, end: 3, type: "PER" }],
  }),
);
const declared = [
  sentenceOf("so said Rui here", { complete: [{ start: 0, end: 4 }] }),
  sentenceOf("so Eva met us", {
    entities: [{ start: 1, end: 2, type: "PER" }],
    complete: [{ start: 0, end: 2, types: ["PER"] }],
    unsure: [{ start: 3, end: 4 }],
  }),
];
const data = { train: [...sentences, ...declared], dev: sentences.slice(0, 6) };
const unlabelled = [sentenceOf("then Zoe Lopes met us 9")];

const small = {
  encoder: { name: "bilstm", wordWidth: 6, minimumCount: 1, units: 6, dropout: 0 },
  epochs: 2,
  rate: 0.02,
  batchTokens: 64,
  threads: 1,
  ensemble: { size: 2, keep: true },
};
const span = { ...small, method: "uniform", head: { name: "span", hidden: 8, maxWidth: 3 } };
const tagger = {
  ...small,
  method: "two-step",
  head: { name: "token", dropout: 0 },
  explore: { epochs: 1, remove: 0.2 },
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-ensemble-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("an ensemble", () => {
  it("distils the mean of its members, which it keeps as models", async () => {
    const directory = join(folder, "spans");
    const records = await trainInto(directory, { ...data, unlabelled }, span);
    expect(stagesIn(records)).toEqual(["member-1", "member-2", "distil"]);
    const members = [1, 2].map((number) => join(directory, "members", String(number)));
    const all = [...data.train, ...unlabelled];
    const scorer = (name: string): Promise<Scorer> => Scorer.load(members[Number(name)]!);
    const shares = await meanShares({ scorer }, ["0", "1"], all);
    const adjustments = [...openItems(shares, all)].flatMap((item) => taught(item, item.row));

    // By hand: the two probabilities of one span, in the middle.
    const said: number[][] = [];
    for (const member of members) {
      const one = await Scorer.load(member);
      for await (const { logProbs, items } of one.scores([all[1]!])) {
        const item = items.starts().findIndex((start, i) => start === 1 && items.ends()[i] === 3);
        said.push(Array.from(logProbs.subarray(item * 2, item * 2 + 2), Math.exp));
      }
      await one.dispose();
    }
    const found = adjustments.find(({ sentence, start, end }) => sentence === 1 && start === 1 && end === 3)!;
    expect(found.target![0]).toBeCloseTo((said[0]![0]! + said[1]![0]!) / 2, 5);
    expect(found.target![1]).toBeCloseTo((said[0]![1]! + said[1]![1]!) / 2, 5);

    // Nobody overrules what was declared, and what is unsure stays out.
    expect(adjustments.filter(({ sentence }) => sentence === 24)).toEqual([]);
    expect(
      adjustments
        .filter(({ sentence, start, end }) => sentence === 25 && (start < 2 || end - start === 1))
        .map(({ start, end }) => [start, end]),
    ).toEqual([[2, 3]]);
    expect(adjustments.some(({ sentence }) => sentence === 26)).toBe(true);
    const { provenance, training } = JSON.parse(await readFile(join(directory, "config.json"), "utf8"));
    expect(provenance.prepared).toEqual({ members: 2, targets: adjustments.length });
    expect(training).toMatchObject({ method: "uniform", ensemble: { size: 2, keep: true }, sampler: { name: "all" } });
    expect(existsSync(join(directory, "stages"))).toBe(false);
  });

  it.each([
    { name: "mrc", unknown: "any" },
    { name: "autoner", unknown: "any" },
    { name: "autoner", unknown: "outside", gapLoss: "hinge" },
  ])("distils members with the head %j into one for which silence is none", async (head) => {
    const directory = join(folder, `${head.name}-${head.unknown}`);
    const settings = { ...small, method: head.name, head: { hidden: 8, maxWidth: 3, ...head } };
    const records = await trainInto(directory, { ...data, unlabelled }, settings);
    expect(stagesIn(records)).toEqual(["member-1", "member-2", "distil"]);
    const all = [...data.train, ...unlabelled];
    const scorer = (number: string): Promise<Scorer> => Scorer.load(join(directory, "members", number));
    const shares = await meanShares({ scorer }, ["1", "2"], all);
    const adjustments = [...openItems(shares, all)].flatMap((item) => taught(item, item.row));
    // Of "so Eva met us" the label is declared, and "us" is unsure.
    const spoken = adjustments.filter(({ sentence }) => sentence === 25).map(({ start, end }) => `${start} ${end}`);
    expect(spoken).not.toContain("1 2");
    expect(spoken).not.toContain("3 4");
    const { provenance, head: own } = JSON.parse(await readFile(join(directory, "config.json"), "utf8"));
    expect(provenance.prepared).toEqual({ members: 2, targets: adjustments.length });
    expect(own).toMatchObject({ name: head.name, unknown: "outside" });
    expect(shares.sentences.flatMap((each) => [...each.shares]).every(Number.isFinite)).toBe(true);
  });

  it("has as its first member the model that the run would be without it", async () => {
    const directory = join(folder, "alone");
    const other = join(folder, "spans");
    if (!existsSync(other)) await trainInto(other, { ...data, unlabelled }, span);
    await trainInto(directory, data, { ...span, ensemble: {} });
    expect(await differing(directory, join(other, "members", "1"), ["model.safetensors"])).toEqual([]);
    expect(await differing(directory, join(other, "members", "2"), ["model.safetensors"])).not.toEqual([]);
  });

  it("takes members that have stages of their own, and goes on after any interruption to the same weights", async () => {
    const whole = join(folder, "whole");
    const records = await trainInto(whole, data, tagger);
    const stages = [
      "member-1",
      "member-1, explore",
      "member-1, train",
      "member-2",
      "member-2, explore",
      "member-2, train",
    ];
    expect(stagesIn(records)).toEqual([...stages, "distil"]);
    const files = ["model.safetensors", "config.json", "metrics.jsonl", "members/1/model.safetensors"];
    for (const stopAfter of [3, 9, 13]) {
      const stopped = join(folder, `stopped-${stopAfter}`);
      await trainInto(stopped, data, tagger, { stopAfter });
      expect(existsSync(join(stopped, "stages"))).toBe(true);
      await trainInto(stopped, data, tagger, { resume: true });
      expect(await differing(whole, stopped, files)).toEqual([]);
    }
  });

  it("refuses a head that cannot learn from soft targets, and a size of none", () => {
    const { takesTargets: _, ...rest } = heads.span;
    const head = { ...rest, name: "own" };
    const settings = { head, ensemble: { size: 2 } } as unknown as TrainSettings;
    expect(() => train(data, settings, { directory: join(folder, "own") })).toThrow(
      'ensemble: head "own" does not learn from soft targets (heads that do: span, token, mrc, autoner)',
    );
    expect(() => completeSettings({ ensemble: { size: 0 } })).toThrow('setting "ensemble.size"');
  });
});
