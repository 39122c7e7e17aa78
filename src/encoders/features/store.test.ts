import { closeSync, openSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { makeSentence, type Sentence } from "../../text/index.ts";
import { cachedFiles, cacheLimit, clearCache, featureFolder } from "./cache.ts";
import { countingPart, expectedValues } from "./counting-part.suite.ts";
import { FeatureStore } from "./store.ts";

/** Numbered sentences of three tokens each. */
function numbered(count: number, from = 0): Sentence[] {
  return Array.from({ length: count }, (_, i) => {
    const text = `word number ${from + i}`;
    return makeSentence(text, Int32Array.of(0, 4, 5, 11, 12, text.length));
  });
}

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), "lacuna-cache-"));
  vi.stubEnv("LACUNA_CACHE", folder);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });
});

function storeOf(options: Parameters<typeof countingPart>[0] = {}) {
  const part = countingPart(options);
  const store = new FeatureStore(part);
  onTestFinished(() => store.dispose());
  return { part, store };
}

function expectAll(store: FeatureStore, sentences: readonly Sentence[]): void {
  for (const sentence of sentences) expect([...store.values(sentence)]).toEqual([...expectedValues(sentence)]);
}

const folderOf = (part = "counting-one"): string => join(featureFolder(), part);
const filesIn = (part?: string): string[] => readdirSync(folderOf(part)).map((name) => join(folderOf(part), name));

describe("values of a frozen part", () => {
  it("are computed once for each text, by whichever store and process asks", async () => {
    const first = storeOf();
    const sentences = numbered(5);
    await first.store.prepare([...sentences, ...numbered(5)], { keep: true });
    expect(first.part.computed).toBe(5);
    expectAll(first.store, numbered(5));
    const second = storeOf();
    await second.store.prepare(numbered(7), { keep: true });
    expect(second.part.computed).toBe(2);
    expectAll(second.store, numbered(7));
    const other = storeOf({ id: "two" });
    await other.store.prepare(numbered(3), { keep: true });
    expect(other.part.computed).toBe(3);
  });

  it("of text that is seen once are read from disk but never written", async () => {
    const { store, part } = storeOf();
    await store.prepare(numbered(2), { keep: true });
    const once = storeOf();
    await once.store.prepare(numbered(4));
    expect([part.computed, once.part.computed]).toEqual([2, 2]);
    expectAll(once.store, numbered(4));
    expect(filesIn().length).toBe(1);
    await once.store.prepare(numbered(1, 9));
    expect(() => once.store.values(numbered(1, 3)[0]!)).toThrow("must be prepared before it is put into a batch");
  });

  it("are held in memory where the cache is switched off", async () => {
    vi.stubEnv("LACUNA_CACHE_SIZE", "0");
    const { store, part } = storeOf();
    await store.prepare(numbered(4), { keep: true });
    await store.prepare(numbered(6), { keep: true });
    expect(part.computed).toBe(6);
    expectAll(store, numbered(6));
    expect(await cachedFiles()).toEqual([]);
  });

  it("tell how far they are, and keep what was done when they are stopped", async () => {
    const controller = new AbortController();
    const { store, part } = storeOf();
    const seen: number[] = [];
    const progress = ({ done, total }: { done: number; total: number }): void => {
      seen.push(done / total);
      if (seen.length === 3) controller.abort(new Error("stop"));
    };
    const wanted = numbered(10);
    await expect(store.prepare(wanted, { keep: true, signal: controller.signal, progress })).rejects.toThrow("stop");
    expect(seen).toEqual([0, 0.2, 0.4]);
    expect(part.computed).toBe(6);
    const again = storeOf();
    await again.store.prepare(wanted, { keep: true });
    expect(again.part.computed).toBe(4);
    expectAll(again.store, wanted);
  });
});

describe("a damaged file", () => {
  const damages: readonly (readonly [string, (path: string) => void])[] = [
    ["a changed index", (path) => overwrite(path, 30)],
    ["a changed mark", (path) => overwrite(path, 0)],
    ["a missing end", (path) => truncateSync(path, statSync(path).size - 1)],
    ["nothing in it", (path) => truncateSync(path, 0)],
  ];

  it.each(damages)("with %s is noticed, and what it held is computed again", async (_, damage) => {
    const { store } = storeOf();
    await store.prepare(numbered(6), { keep: true });
    await store.dispose();
    const [path] = filesIn();
    damage(path!);
    const again = storeOf();
    await again.store.prepare(numbered(6), { keep: true });
    expect(again.part.computed).toBe(6);
    expectAll(again.store, numbered(6));
    expect(filesIn()).not.toContain(path);
    const third = storeOf();
    await third.store.prepare(numbered(6), { keep: true });
    expect(third.part.computed).toBe(0);
  });

  it("with a changed number keeps all others, also those that were found before it", async () => {
    const { store } = storeOf();
    await store.prepare(numbered(6), { keep: true });
    await store.dispose();
    const [path] = filesIn();
    overwrite(path!, statSync(path!).size - 3);
    const again = storeOf();
    await again.store.prepare(numbered(2), { keep: true });
    await again.store.prepare(numbered(6), { keep: true });
    expect(again.part.computed).toBe(1);
    expectAll(again.store, numbered(6));
    expect(filesIn()).not.toContain(path);
    const third = storeOf();
    await third.store.prepare(numbered(6), { keep: true });
    expect(third.part.computed).toBe(0);
    expectAll(third.store, numbered(6));
  });

  function overwrite(path: string, at: number): void {
    const file = openSync(path, "r+");
    writeSync(file, Buffer.of(readFileSync(path)[at]! ^ 0xff), 0, 1, at);
    closeSync(file);
  }
});

describe("the size of the cache", () => {
  it.each([
    ["500MB", 5e8],
    ["20 GB", 2e10],
    ["1.5T", 1.5e12],
    ["1000", 1000],
    ["12kB", 12_000],
    ["0", 0],
    [undefined, 2e10],
  ])("%s is a number of bytes", (text, bytes) => {
    vi.stubEnv("LACUNA_CACHE_SIZE", text);
    expect(cacheLimit()).toBe(bytes);
  });

  it("must be one", () => {
    for (const text of ["much", "-1", "1PB", "1e9"])
      expect(() => cacheLimit(text)).toThrow("LACUNA_CACHE_SIZE: expected a size such as 500MB or 20GB, got ");
  });

  it("is kept by removing what was used longest ago, never what is in use", async () => {
    for (const [age, id] of ["old", "middle", "new"].entries()) {
      const { store } = storeOf({ id });
      await store.prepare(numbered(20), { keep: true });
      await store.dispose();
      const time = new Date(2020, age);
      for (const path of filesIn(`counting-${id}`)) utimesSync(path, time, time);
    }
    const { bytes } = (await cachedFiles())[0]!;
    // Reading "old" makes it the youngest.
    await storeOf({ id: "old" }).store.prepare(numbered(20), { keep: true });
    vi.stubEnv("LACUNA_CACHE_SIZE", String(Math.round(3.1 * bytes)));
    await storeOf({ id: "another" }).store.prepare(numbered(20), { keep: true });
    expect((await cachedFiles()).map(({ part }) => part.replace("counting-", ""))).toEqual(["new", "old", "another"]);
  });

  it("is an error that says what to do when the data need more", async () => {
    vi.stubEnv("LACUNA_CACHE_SIZE", "100");
    await expect(storeOf().store.prepare(numbered(20), { keep: true })).rejects.toThrow(
      /this data needs more than the 1 kB that LACUNA_CACHE_SIZE allows; raise it, or set it to 0/,
    );
    expect(await cachedFiles()).toEqual([]);
  });
});

describe("the cache on disk", () => {
  it("can be cleared while it is read", async () => {
    const { store } = storeOf();
    await store.prepare(numbered(3), { keep: true });
    await clearCache();
    expect(await cachedFiles()).toEqual([]);
    expectAll(store, numbered(3));
  });

  it("that cannot be written is a clear error", async () => {
    await mkdir(featureFolder(), { recursive: true });
    await writeFile(folderOf(), "in the way");
    await expect(storeOf().store.prepare(numbered(1), { keep: true })).rejects.toThrow(
      /feature cache: cannot be used \(ENOTDIR\); set LACUNA_CACHE to a folder of your own/,
    );
  });
});
