import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder, tinyModel, writeModel } from "../src/encoders/transformer/tiny-models.suite.ts";
import { Recogniser } from "../src/inference/index.ts";
import { completeSettings, train as training } from "../src/methods/index.ts";
import { makeSentence, type Sentence } from "../src/text/index.ts";
import type { RunRecord } from "../src/training/index.ts";
import { type Random, random } from "../src/util/random.ts";

const character = (number: number): string => String.fromCharCode(0x4e00 + number);
/** Words of two characters. */
const words = Array.from({ length: 40 }, (_, i) => character(2 * i) + character(2 * i + 1));

/** Names that are words among characters of which most are seen once only, so that nothing but the lexicon tells them. */
function sentencesOf(names: readonly string[], rng: Random): Sentence[] {
  return names.map((name) => {
    const some = (): string =>
      Array.from({ length: 1 + rng.below(4) }, () => character(100 + rng.below(5000))).join("");
    const before = some();
    const text = before + name + some();
    const offsets = Int32Array.from({ length: 2 * text.length }, (_, i) => (i + 1) >> 1);
    return makeSentence(text, offsets, {
      entities: [{ start: before.length, end: before.length + 2, type: "NAME" }],
    });
  });
}

const train = sentencesOf(
  Array.from({ length: 120 }, (_, i) => words[i % 30]!),
  random(1, "train"),
);
const dev = sentencesOf(words.slice(30), random(1, "dev"));
const transformer = { dropout: 0, attentionDropout: 0 };
const small: Readonly<Record<string, object>> = {
  bilstm: { units: 8, wordWidth: 8 },
  flat: { wordWidth: 8, minimumCount: 100, heads: 2, headWidth: 8, dropout: 0, layerDropout: 0, innerDropout: 0 },
  "bert-word": { units: 8, dropout: 0, transformer },
  lebert: { dropout: 0, transformer },
};
const models = {
  span: { name: "span", hidden: 16, dropout: 0, maxWidth: 3 },
  token: { name: "token", dropout: 0 },
};

/** The name of an encoder, with a random model where it needs one, and its settings. */
async function settingsOf(encoder: string, model: keyof typeof models, method = "ce") {
  const lexicon = join(await temporaryFolder(), "words.txt");
  await writeFile(lexicon, words.join("\n"));
  const from = !["bilstm", "flat"].includes(encoder) && { from: await writeModel(tinyModel("bert")) };
  const withWords = encoder !== "bilstm" && { words: { width: 8, minimumCount: 100, lexicon } };
  return completeSettings({
    method,
    encoder: { name: encoder, ...from, ...small[encoder], ...withWords },
    head: models[model],
    epochs: 20,
    patience: 0,
    batchTokens: 64,
    rate: 0.01,
    threads: 1,
  });
}

async function bestOf(records: AsyncGenerator<RunRecord, unknown>): Promise<number> {
  let best = 0;
  for await (const record of records) if (record.kind === "evaluation") best = Math.max(best, record.dev?.f1 ?? 0);
  return best;
}

describe("names that only a lexicon can tell, and that training never saw", () => {
  it.each([
    ["flat", "span", "ce"],
    ["lebert", "span", "ce"],
    ["flat", "token", "two-step"],
    ["bert-word", "token", "two-step"],
    ["lebert", "token", "two-step"],
  ] as const)("are found by %s in the %s model by %s, and by the saved model alone", async (encoder, model, method) => {
    const settings = await settingsOf(encoder, model, method);
    const directory = join(await temporaryFolder(), "model");
    expect(await bestOf(training({ train, dev }, settings, { directory }))).toBeGreaterThan(0.9);
    const recogniser = await Recogniser.load(directory, { threads: 1 });
    const found = await recogniser.tag(dev[0]!.text);
    await recogniser.dispose();
    expect(found.map(({ text }) => text)).toEqual([words[30]]);
  });

  it("are hardly found without one", async () => {
    const settings = await settingsOf("bilstm", "token");
    const directory = join(await temporaryFolder(), "model");
    expect(await bestOf(training({ train, dev }, settings, { directory }))).toBeLessThan(0.6);
  });
});
