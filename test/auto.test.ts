import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeSearch } from "../src/cli/search-print.ts";
import { readAll } from "../src/formats/index.ts";
import { entriesFor, settingsFor } from "../src/methods/auto/entries.ts";
import { describeFacts, factsOf } from "../src/methods/auto/facts.ts";
import { partFor } from "../src/methods/auto/part.ts";
import { completeSettings, methods, stagesOf } from "../src/methods/index.ts";
import { declareComplete, type Sentence } from "../src/text/index.ts";
import type { RunRecord, SearchRecord, Trial } from "../src/training/index.ts";
import { differing, trainInto } from "./support/runs.ts";
import { sentenceOf } from "./support/words.ts";

const people = "Ana Rui Eva Leo Mia Tom Ada".split(" ");

function corpus(size: number, isLabelled: (i: number) => boolean): Sentence[] {
  return Array.from({ length: size }, (_, i) =>
    sentenceOf(`then ${people[i % people.length]} Lopes met us ${i % 5}`, {
      entities: isLabelled(i) ? [{ start: 1, end: 3, type: "PER" }] : [],
    }),
  );
}
const data = { train: corpus(40, (i) => i % 10 !== 0), dev: corpus(14, () => true) };

/** Two epochs at a second each fit into 2.4 seconds, half of the time: two candidates, and two epochs for the winner. */
const given = {
  method: "auto",
  encoder: { name: "bilstm", wordWidth: 6, minimumCount: 1, units: 6, dropout: 0 },
  head: { hidden: 8 },
  minutes: 0.08,
  auto: { epochSeconds: 1 },
  epochs: 4,
  rate: 0.02,
  batchTokens: 64,
  threads: 1,
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lacuna-auto-"));
});
afterAll(() => rm(folder, { recursive: true }));

const trialsIn = (records: readonly RunRecord[]) =>
  records.flatMap((record) => (record.kind === "trial" ? [`${record.trial.name} ${record.trial.epochs}`] : []));

describe("auto", () => {
  it("tries candidates, trains the winner as if it had been named, and writes down why", async () => {
    const directory = join(folder, "whole");
    const records = await trainInto(directory, data, given);
    // A third candidate, the tagger, would make it 2.7 seconds.
    expect(trialsIn(records)).toEqual(["ce 1", "uniform 1"]);
    const { training, provenance } = JSON.parse(await readFile(join(directory, "config.json"), "utf8"));
    const { chosen, trials } = provenance.auto;
    const [best] = (trials as Trial[]).sort((a, b) => b.f1! - a.f1!);
    expect(chosen.method).toBe(best!.method);
    expect(training).toMatchObject({ method: chosen.method, epochs: 2, minutes: 0 });
    const named = join(folder, "named");
    const { auto: _, ...rest } = given;
    const plain = { ...rest, minutes: 0, method: chosen.method, epochs: 2, decode: { shift: "by-type" } };
    await trainInto(named, data, plain);
    expect(await differing(directory, named, ["model.safetensors"])).toEqual([]);
    const card = await readFile(join(directory, "README.md"), "utf8");
    expect(card).toContain("## How this was chosen");
    expect(card).toMatch(/\| uniform \| uniform \| head=span \| 1 \|/);
    expect(card).toContain(
      "- `ce`: the control: plain training, with the decision shifted\n- `uniform`: few random negatives",
    );
    expect(card).toContain("the time did not allow them: `tagger`; `two-step`.");
    const proposal = records.find(({ kind }) => kind === "proposal")!;
    expect(proposal).toMatchObject({ leftOut: ["tagger", "two-step"] });
    expect(describeSearch(proposal as SearchRecord)).toContain("no time for: tagger; two-step");
    expect(existsSync(join(directory, "stages"))).toBe(false);
    await expect(trainInto(directory, data, given, { resume: true })).rejects.toThrow("the search is over");
  });

  it.each([1, 3, 5, 8])(
    "goes on after an interruption with the same decisions (after %i records)",
    async (stopAfter) => {
      const whole = join(folder, "whole");
      if (!existsSync(whole)) await trainInto(whole, data, given);
      const stopped = join(folder, `stopped-${stopAfter}`);
      await trainInto(stopped, data, given, { stopAfter });
      const records = await trainInto(stopped, data, given, { resume: true });
      expect(trialsIn(records)).toEqual(["ce 1", "uniform 1"]);
      expect(await differing(whole, stopped, ["model.safetensors"])).toEqual([]);
      const [one, other] = await Promise.all(
        [whole, stopped].map((each) => readFile(join(each, "config.json"), "utf8")),
      );
      const timeless = (text: string) => text.replaceAll(/"seconds": [\d.]+/g, "");
      expect(timeless(other!)).toBe(timeless(one!));
    },
  );

  it("compares a method that needs several trainings later, after as much work as the others had", async () => {
    const records = await trainInto(join(folder, "dear"), data, { ...given, minutes: 0.4 });
    const trials = trialsIn(records);
    expect(trials.slice(0, 3)).toEqual(["ce 1", "uniform 1", "tagger 1"]);
    // Its first epoch costs what 2.8 epochs of plain training do; the control and the better one of the others are still there.
    expect(trials.slice(3, 5).sort().join(", ")).toMatch(/^ce 3, (uniform 3|tagger 4)$/);
    expect(trials.slice(5)).toEqual(["two-step 1"]);
    const proposal = records.find(({ kind }) => kind === "proposal");
    expect(proposal).toMatchObject({
      plan: "3 candidates for the work of 1 epoch, 3 for that of 2.8: at most 1 min, by 1.00 s for an epoch of plain training",
    });
  });

  it("falls back to the estimate without a dev set, and says so", async () => {
    const directory = join(folder, "without");
    const records = await trainInto(directory, { ...data, dev: [] }, { ...given, epochs: 1, minutes: 0 });
    const choice = records.find(({ kind }) => kind === "choice");
    expect(choice).toMatchObject({ reason: expect.stringMatching(/no dev set to compare on/), trials: [] });
    expect(await readFile(join(directory, "README.md"), "utf8")).toContain("No dev set to compare on");
  });

  it("falls back to a tagger where only taggers may be tried", async () => {
    const directory = join(folder, "without-token");
    const tokens = { ...given, epochs: 1, minutes: 0, auto: { heads: "token" } };
    const records = await trainInto(directory, { ...data, dev: [] }, tokens);
    expect(records.find(({ kind }) => kind === "choice")).toMatchObject({ method: "ce" });
    const { training } = JSON.parse(await readFile(join(directory, "config.json"), "utf8"));
    expect(training.head.name).toBe("token");
  });

  it("trains on the complete part alone where the rest misleads", async () => {
    const directory = join(folder, "part");
    const done = corpus(40, () => true).map((sentence) => declareComplete(sentence));
    const wrong = Array.from({ length: 60 }, (_, i) =>
      sentenceOf(`then ${people[i % people.length]} Lopes met us ${i % 5}`, {
        entities: [{ start: 4, end: 5, type: "PER" }],
      }),
    );
    const mixed = { train: [...done, ...wrong], dev: data.dev };
    const searched = { ...given, minutes: 0.15, patience: 1, auto: { epochSeconds: 1, heads: "span" } };
    const records = await trainInto(directory, mixed, searched);
    // Forty of a hundred sentences: to see them five times costs what it costs to see all twice.
    expect(trialsIn(records)).toEqual(["ce 2", "complete part 5"]);
    const { chosen } = JSON.parse(await readFile(join(directory, "config.json"), "utf8")).provenance.auto;
    expect(chosen).toMatchObject({ name: "complete part", epochs: 10 });
    const alone = join(folder, "alone");
    const { auto: _, ...rest } = given;
    const plain = { ...rest, minutes: 0, method: "ce", epochs: 10, patience: 3, decode: { shift: "by-type" } };
    await trainInto(alone, { ...mixed, train: done }, plain);
    expect(await differing(directory, alone, ["model.safetensors"])).toEqual([]);
  });

  it("refuses to search without a time, or in a time that is too short", async () => {
    await expect(trainInto(join(folder, "none"), data, { ...given, minutes: 0 })).rejects.toThrow(
      "method auto: needs the time that it may take, such as --minutes 30, got 0",
    );
    const short = join(folder, "short");
    await expect(trainInto(short, data, { ...given, minutes: 0.01 })).rejects.toThrow(
      "0.01 minutes are too few to compare two candidates for an epoch each, which takes 0.1 minutes",
    );
    expect(existsSync(join(short, "stages"))).toBe(false);
    const bare = { ...data, train: corpus(10, () => false) };
    const measured = { ...given, auto: { epochSeconds: 0 } };
    await expect(trainInto(short, bare, measured)).rejects.toThrow("no entity types");
    expect(existsSync(join(short, "stages"))).toBe(false);
  });
});

describe("the part of the data that a candidate learns from", () => {
  const [done, open] = [declareComplete(corpus(1, () => true)[0]!), corpus(1, () => true)[0]!];
  const mixed = { train: [open, done], dev: [], hidden: [[{ start: 5, end: 6, type: "PER" }], []], unlabelled: [open] };

  it("is all of it unless it says otherwise", () => {
    expect(partFor({}, mixed)).toBe(mixed);
  });

  it("leaves out the sentences with gaps, or their labels", () => {
    expect(partFor({ gaps: "left out" }, mixed)).toEqual({ ...mixed, train: [done], hidden: [[]] });
    const { train, unlabelled } = partFor({ gaps: "unlabelled" }, mixed);
    expect(train).toEqual([done]);
    expect(unlabelled).toEqual([open, { ...open, entities: [] }]);
  });

  it("keeps the labels of regions that a person declared complete, for the types that were meant", () => {
    const entities = ["LOC", "PER"].map((type, i) => ({ start: 2 * i, end: 2 * i + 1, type }));
    const partly = sentenceOf("Rome met Ana", { entities, complete: [{ start: 0, end: 3, types: ["PER"] }] });
    const { unlabelled } = partFor({ gaps: "unlabelled" }, { train: [partly], dev: [] });
    expect(unlabelled).toEqual([{ ...partly, entities: [entities[1]] }]);
  });
});

it("says of the training data, not of dev, how much is complete", () => {
  const facts = {
    ...{ sentences: 100, entities: 80, types: 2, missing: 0.4, ordinary: 0, dev: 30, unlabelled: 7 },
    ...{ completePart: 60, script: "Latin", head: "span" as const },
  };
  expect(describeFacts({ ...facts, wrong: { share: 0.085, low: 0.058, high: 0.112, evidence: 1029 } })).toBe(
    "100 sentences with 80 labels of 2 types (Latin script); 60 of the sentences are complete; missing: 40 % of the entities by estimate; wrong: 9 % (6 to 11) of the labels by estimate; dev: 30 sentences; 7 unlabelled sentences",
  );
});

describe("the candidates of auto", () => {
  const noneWrong = { share: 0, low: 0, high: 0.02, evidence: 100 };
  const others = {
    complete: completeSettings,
    stages: (settings: ReturnType<typeof completeSettings>) =>
      stagesOf(methods[settings.method as keyof typeof methods], settings),
    train: () => {
      throw new Error("nothing is trained here");
    },
  };
  const namesFor = (facts: object, settings: object = {}): string[] => {
    const complete = completeSettings({ ...given, ...settings }) as never;
    const base = factsOf(data, complete);
    return entriesFor({ ...base, ...facts }, complete, others).map(({ name }) => name);
  };

  it("follow from what is known of the data", () => {
    expect(namesFor({ missing: 0, wrong: noneWrong })).toEqual(["ce", "tagger"]);
    expect(namesFor({ missing: 0.5, wrong: noneWrong })).toEqual([
      ...["ce", "uniform", "tagger", "self-train, labels kept", "nrces", "two-step", "weighted"],
    ]);
    expect(namesFor({ missing: 0.1, wrong: { share: 0.09, low: 0.06, high: 0.11, evidence: 1000 } })).toEqual([
      ...["ce", "bond", "uniform", "tagger", "self-train", "gce", "two-step"],
    ]);
  });

  it("are not those for wrong labels where a small dev set merely does not rule wrong ones out", () => {
    const wrong = { share: 0.12, low: 0.01, high: 0.3, evidence: 12 };
    expect(namesFor({ missing: 0, wrong })).toEqual(["ce", "tagger"]);
  });

  it("are not those for wrong labels where people labelled: the sample corpus has ambiguous names, and no error", async () => {
    const read = async (file: string) => (await readAll([file])).flatMap(({ sentences }) => sentences);
    const sample = { train: await read("samples/train.conll"), dev: await read("samples/dev.conll") };
    const facts = factsOf(sample, completeSettings(given) as never);
    expect(namesFor(facts)).toEqual(["ce", "tagger"]);
    expect(describeFacts(facts)).toMatch(/; wrong: \d % \(0 to \d+\) of the labels by estimate;/);
  });

  it("offer the complete part alone, and the rest as text without labels, where it has all types", () => {
    const offered = ["complete part", "complete part, tagger", "complete part, self-train"];
    const part = corpus(20, () => true).map((sentence) => declareComplete(sentence));
    const facts = (train: Sentence[]): object => factsOf({ ...data, train }, completeSettings(given) as never);
    const names = namesFor({ ...facts([...part, ...data.train]), missing: 0, wrong: noneWrong });
    expect(names).toEqual(["ce", ...offered.slice(0, 2), "tagger", offered[2]]);
    const foreign = sentenceOf("then Rome met us", { entities: [{ start: 1, end: 2, type: "LOC" }] });
    for (const train of [data.train, part, [...part, foreign]])
      expect(namesFor(facts(train)).filter((name) => offered.includes(name))).toEqual([]);
  });

  it("have teachers that see a small complete part as long as others see all", () => {
    const complete = completeSettings(given) as never;
    const facts = { ...factsOf(data, complete), sentences: 100, completePart: 20 };
    const entry = entriesFor(facts, complete, others).find(({ name }) => name === "complete part, self-train")!;
    const lengths = { epochs: 6, patience: 0, ensemble: { size: 1, keep: false } };
    expect(settingsFor(entry, complete, others, lengths)).toMatchObject({ epochs: 6, selfTrain: { epochs: 15 } });
  });

  it("go without the labels of ordinary words where there are many, but for the control", () => {
    const complete = completeSettings(given) as never;
    const facts = { ...factsOf(data, complete), missing: 0, wrong: noneWrong, ordinary: 0.05 };
    const entries = entriesFor(facts, complete, others);
    expect(entries.map(({ name, settings }) => [name, settings?.ordinary])).toEqual([
      ["ce", undefined],
      ["ordinary words left out", "drop"],
      ["tagger", "drop"],
    ]);
    expect(namesFor({ ...facts, ordinary: 0.005 })).toEqual(["ce", "tagger"]);
  });

  it("keep to the heads and encoders that the user names", () => {
    expect(namesFor({ missing: 0.5, wrong: noneWrong }, { head: "token" })).toEqual([
      "ce",
      "self-train, labels kept",
      "two-step",
    ]);
    const spans = { auto: { heads: "span", encoders: ["bilstm"] } };
    expect(namesFor({ missing: 0, wrong: noneWrong }, spans)).toEqual(["ce", "ce, bilstm"]);
    // Where all are taggers, plain training and the tagger are the same.
    expect(namesFor({ missing: 0, wrong: noneWrong }, { auto: { heads: "token" } })).toEqual(["ce"]);
  });
});
