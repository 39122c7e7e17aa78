import { createHash } from "node:crypto";
import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { tinyCharlm, writeCharlm } from "../src/encoders/sources/tiny-charlm.suite.ts";
import { temporaryFolder, tinyModel, writeModel } from "../src/encoders/transformer/tiny-models.suite.ts";
import { Recogniser } from "../src/inference/index.ts";
import { completeSettings, train as run } from "../src/methods/index.ts";
import { makeSentence, type Sentence } from "../src/text/index.ts";
import { random } from "../src/util/random.ts";
import { SafetensorsFile } from "../src/util/safetensors.ts";

const rng = random(1, "stack");
const others = ["the", "cats", "sat", "on", "a", "mat", "hats", "were", "there"];
const names = ["Tom", "Tess", "Tony"];

/** Names among other words, at random places. */
function sentencesOf(count: number, length = 7): Sentence[] {
  return Array.from({ length: count }, () => {
    const words = Array.from({ length }, () => others[rng.below(others.length)]!);
    const at = rng.below(length);
    words[at] = names[rng.below(names.length)]!;
    let end = -1;
    const offsets = words.flatMap((word) => {
      const start = end + 1;
      end = start + word.length;
      return [start, end];
    });
    const entities = [{ start: at, end: at + 1, type: "PER" }];
    return makeSentence(words.join(" "), Int32Array.from(offsets), {
      entities,
      complete: [{ start: 0, end: length }],
    });
  });
}

/** The last is longer than a piece of a text, and cut. */
const train = [...sentencesOf(40), ...sentencesOf(1, 300)];
const dev = sentencesOf(10);

async function sourcesOf(): Promise<object[]> {
  const from = await writeModel(tinyModel("bert"));
  return [
    { name: "words", width: 6 },
    { name: "chars", width: 6, filters: 8 },
    { name: "transformer", from, layers: [1, 2] },
    { name: "charlm", from: await writeCharlm() },
  ];
}

function settingsOf(sources: readonly object[], more: object = {}) {
  return completeSettings({
    encoder: { name: "stack", sources, context: { units: 8, dropout: 0.1 } },
    method: "ce",
    head: { name: "token" },
    epochs: 4,
    patience: 0,
    batchTokens: 64,
    rate: 0.02,
    threads: 1,
    ...more,
  });
}

async function trained(settings: ReturnType<typeof settingsOf>, resume = false, directory?: string): Promise<string> {
  const into = directory ?? join(await temporaryFolder(), "model");
  for await (const _ of run({ train, dev }, settings, { directory: into, resume }));
  return into;
}

async function hashOf(directory: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(join(directory, "model.safetensors")))
    .digest("hex");
}

async function freshCache(): Promise<string> {
  const folder = await temporaryFolder();
  vi.stubEnv("LACUNA_CACHE", folder);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return folder;
}

describe("an encoder from several sources", () => {
  it.each([
    [{ head: { name: "token" } }, {}],
    [{ head: { name: "span", hidden: 12, maxWidth: 2 } }, {}],
    [{ head: { name: "span", hidden: 12, maxWidth: 2 } }, { layers: 0 }],
    [{ head: { name: "span", hidden: 12, maxWidth: 2 } }, { layers: 0, project: 10 }],
    [{ head: { name: "token" } }, { project: 10 }],
    [{ method: "two-step" }, {}],
  ])("trains every kind of model, which finds names from its directory: %j, context %j", async (more, context) => {
    await freshCache();
    const settings = settingsOf(await sourcesOf(), more);
    const encoder = { ...settings.encoder, context: { units: 8, dropout: 0.1, ...context } };
    const directory = await trained(completeSettings({ ...settings, encoder, epochs: 30 }));
    const recogniser = await Recogniser.load(directory, { threads: 1 });
    onTestFinished(() => recogniser.dispose());
    const found = await recogniser.tag("the mat Tess sat on");
    expect(found.map(({ text }) => text)).toEqual(["Tess"]);
  });

  it("narrows vectors that are much wider than the LSTM, unless it is told otherwise", async () => {
    await freshCache();
    const widths = async (context: object): Promise<number[] | undefined> => {
      const settings = settingsOf(await sourcesOf());
      const encoder = { ...settings.encoder, context: { units: 8, ...context } };
      const directory = await trained(completeSettings({ ...settings, encoder, epochs: 1 }));
      const file = SafetensorsFile.open(join(directory, "model.safetensors"));
      onTestFinished(() => file.close());
      return file.names.includes("stack.project.weight") ? [...file.shape("stack.project.weight")] : undefined;
    };
    const [wide, narrow] = (await widths({})) ?? [];
    expect(narrow).toBe(8);
    expect(await widths({ units: Math.ceil(wide! / 1.5) })).toBeUndefined();
    expect(await widths({ project: 0 })).toBeUndefined();
    expect(await widths({ project: 10 })).toEqual([wide, 10]);
  });

  it.each([
    ["frozen", {}],
    ["with its upper layer in training", { train: "top:1", layers: null }],
  ])("has the same weights with and without the cache, a transformer %s", async (_, options) => {
    const sources = (await sourcesOf()).map((source) => ("layers" in source ? { ...source, ...options } : source));
    const settings = settingsOf(sources);
    await freshCache();
    const filled = await hashOf(await trained(settings));
    const found = await hashOf(await trained(settings));
    vi.stubEnv("LACUNA_CACHE_SIZE", "0");
    expect([found, await hashOf(await trained(settings))]).toEqual([filled, filled]);
  });

  it("resumes to the weights of a run that was never stopped", async () => {
    await freshCache();
    const settings = settingsOf(await sourcesOf());
    const whole = await hashOf(await trained(settings));
    const directory = join(await temporaryFolder(), "model");
    const controller = new AbortController();
    const stopped = async (): Promise<void> => {
      for await (const record of run({ train, dev }, settings, { directory, signal: controller.signal }))
        if (record.kind === "evaluation" && record.epoch === 2) controller.abort(new Error("stop"));
    };
    await expect(stopped()).rejects.toThrow("stop");
    expect(await hashOf(await trained(settings, true, directory))).toBe(whole);
  });

  it("stops when dev has stalled until the rates are too low", async () => {
    await freshCache();
    const annealing = { patience: 1, factor: 0.1, least: 0.05 };
    const settings = settingsOf([{ name: "shapes" }], { epochs: 40, annealing, optimiser: "sgd", rate: 1e-9 });
    const directory = await trained(settings);
    const lines = (await readFile(join(directory, "metrics.jsonl"), "utf8")).trim().split("\n");
    // Nothing is learned: one evaluation is the best, and each further one divides the rates by ten.
    expect(lines.length).toBe(3);
  });
});

describe("the frozen parts of a saved model", () => {
  it("are named by their content, looked for where they were, and may lie elsewhere", async () => {
    await freshCache();
    const charlm = await writeCharlm();
    const model = await trained(settingsOf([{ name: "shapes" }, { name: "charlm", from: charlm }]));
    const inPlace = await Recogniser.load(model);
    const before = await inPlace.tag("the cats");
    await inPlace.dispose();
    const elsewhere = join(await temporaryFolder(), "moved");
    await cp(charlm, elsewhere, { recursive: true });
    await rename(charlm, `${charlm}-away`);
    onTestFinished(() => rm(`${charlm}-away`, { recursive: true }));
    await expect(Recogniser.load(model)).rejects.toThrow(
      /^part charlm: the model needs the one it was trained with, .* \(sha256 [0-9a-f]{12}…\): no such directory: .*; say where it is with --part charlm=DIR$/,
    );
    const recogniser = await Recogniser.load(model, { parts: { charlm: elsewhere } });
    expect(await recogniser.tag("the cats")).toEqual(before);
    await recogniser.dispose();
    const other = await writeCharlm(tinyCharlm(2));
    await expect(Recogniser.load(model, { parts: { charlm: other } })).rejects.toThrow(/holds another one \(sha256 /);
    await expect(Recogniser.load(model, { parts: { transformer: other } })).rejects.toThrow(
      '--part: the model has no source "transformer" (its sources: shapes, charlm)',
    );
  });

  it("are refused for an encoder that has none", async () => {
    const settings = completeSettings({
      encoder: { units: 4, wordWidth: 4 },
      method: "ce",
      head: "token",
      epochs: 1,
      threads: 1,
    });
    const model = await trained(settings);
    await expect(Recogniser.load(model, { parts: { charlm: "x" } })).rejects.toThrow(
      '--part: the encoder bilstm holds all it needs, and has no part "charlm"',
    );
  });

  it("must say what they are", async () => {
    await freshCache();
    const model = await trained(settingsOf([{ name: "charlm", from: await writeCharlm() }]));
    await writeFile(join(model, "source.charlm.json"), "{}");
    await expect(Recogniser.load(model)).rejects.toThrow(/source\.charlm\.json|config\.json/);
  });
});
