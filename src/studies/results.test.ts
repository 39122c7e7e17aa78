import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { packCounts, unpackCounts } from "./counts.ts";
import { identityOf, keyOf } from "./identity.ts";
import { appendResult, readResults } from "./results.ts";
import { makeResult, makeStudy, runsOf } from "./study.suite.ts";

const [run, other] = runsOf(makeStudy());
const result = makeResult(run!, [1, 2]);

describe("what identifies a run", () => {
  const hashes = { train: ["a"], dev: "b", test: "c" };

  it("is its settings without threads, its files and what is hidden", () => {
    const identity = identityOf(run!);
    expect(identityOf({ ...run!, settings: { ...run!.settings, threads: 7 } })).toBe(identity);
    const changes = [
      { ...run!, settings: { ...run!.settings, decay: 0.123 } },
      { ...run!, masking: { ...run!.masking!, seed: 2 } },
      { ...run!, masking: null },
      { ...run!, files: { ...run!.files, test: "x.conll" } },
      { ...run!, files: { ...run!.files, train: [{ ...run!.files.train[0]!, silence: "negative" as const }] } },
      other!,
    ];
    expect(new Set([identity, ...changes.map(identityOf)]).size).toBe(7);
  });

  it("is, where data are at hand, also their content", () => {
    const keys = [hashes, { ...hashes, train: ["x"] }, { ...hashes, dev: "x" }, { ...hashes, test: "x" }];
    expect(new Set(keys.map((each) => keyOf(run!, each))).size).toBe(4);
    expect(keyOf(run!, { ...hashes })).toBe(keyOf({ ...run! }, hashes));
  });
});

describe("stored results", () => {
  let file: string;
  beforeEach(() => {
    const folder = mkdtempSync(join(tmpdir(), "lacuna-results-"));
    file = join(folder, "results.jsonl");
    onTestFinished(() => rmSync(folder, { recursive: true }));
  });

  it("are found again by identity, and by key for the same data only", async () => {
    await appendResult(file, result);
    const { byIdentity, byKey, outdated } = await readResults(file);
    expect(byIdentity.get(identityOf(run!))).toEqual(result);
    expect(byKey.get(keyOf(run!, result.hashes))).toEqual(result);
    expect(byKey.has(keyOf(run!, { ...result.hashes, test: "changed" }))).toBe(false);
    expect(byIdentity.has(identityOf(other!))).toBe(false);
    expect(outdated).toBe(0);
  });

  it("of a file that does not exist are none", async () => {
    expect((await readResults(file)).byIdentity.size).toBe(0);
  });

  it("are of the same run when a setting did not exist yet that has its default now", async () => {
    const { clip, ...older } = result.settings;
    expect(clip).toBe(5);
    await appendResult(file, { ...result, settings: older });
    expect((await readResults(file)).byIdentity.has(identityOf(run!))).toBe(true);
  });

  it("with settings that do not exist any more are counted and left alone", async () => {
    await appendResult(file, { ...result, settings: { ...result.settings, gone: 1 } });
    const { byIdentity, outdated } = await readResults(file);
    expect([byIdentity.size, outdated]).toEqual([0, 1]);
  });

  it("survive a line that was cut off by a kill, which the next line replaces", async () => {
    await appendResult(file, result);
    const whole = readFileSync(file, "utf8");
    appendFileSync(file, whole.slice(0, 100));
    expect((await readResults(file)).byIdentity.size).toBe(1);
    await appendResult(file, makeResult(other!, [3]));
    expect(readFileSync(file, "utf8").startsWith(`${whole}{"study":"toy"`)).toBe(true);
    expect((await readResults(file)).byIdentity.size).toBe(2);
  });

  it("that are no results are refused with file and line", async () => {
    await appendResult(file, result);
    appendFileSync(file, '{"study":"toy"}\n');
    await expect(readResults(file)).rejects.toThrow(/results\.jsonl:2: not a result: place: /);
    writeFileSync(file, "{\n");
    await expect(readResults(file)).rejects.toThrow(/results\.jsonl:1: not a result: /);
  });
});

it("counts of sentences survive packing", () => {
  const count = fc.nat(65_535);
  fc.assert(
    fc.property(fc.array(fc.record({ correct: count, predicted: count, gold: count })), (counts) => {
      expect(unpackCounts(packCounts(counts))).toEqual(counts);
    }),
  );
});
