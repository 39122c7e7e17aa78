import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeCharlm } from "../src/encoders/sources/tiny-charlm.suite.ts";
import { temporaryFolder, tinyModel, writeModel } from "../src/encoders/transformer/tiny-models.suite.ts";
import { exportModel, openExported } from "../src/export/index.ts";
import { Recogniser, type TaggedEntity } from "../src/inference/index.ts";
import { decodeModel, eachNode } from "../src/tensor/index.ts";
import { generatedTexts, lexicon, trained } from "./support/export-models.ts";

const token = { name: "token", dropout: 0 };
const span = { name: "span", hidden: 16, dropout: 0, maxWidth: 4 };

interface Case {
  readonly name: string;
  readonly language: "english" | "chinese";
  readonly settings: () => Promise<object>;
}

const tiny = async (type: Parameters<typeof tinyModel>[0] = "bert"): Promise<string> => writeModel(tinyModel(type));
const words = async (): Promise<object> => ({ width: 8, lexicon: await lexicon() });
const stack =
  (sources: () => Promise<readonly object[]>, context: object = { units: 8 }) =>
  async (): Promise<object> => ({
    encoder: { name: "stack", sources: await sources(), context },
  });

/** Every head and every kind of encoder, in English and in Chinese. */
const cases: readonly Case[] = [
  {
    name: "bilstm, spans",
    language: "english",
    settings: async () => ({ encoder: { name: "bilstm", units: 8, wordWidth: 8 }, head: span }),
  },
  {
    name: "bilstm, spans with widths",
    language: "chinese",
    settings: async () => ({
      encoder: { name: "bilstm", units: 8, wordWidth: 8, layers: 2 },
      head: { ...span, scorer: "width" },
    }),
  },
  {
    name: "bilstm, retrieval",
    language: "english",
    settings: async () => ({
      method: "scl-rai",
      encoder: { name: "bilstm", units: 8, wordWidth: 8 },
      head: span,
      inference: { name: "retrieval", alpha: 0.3 },
    }),
  },
  {
    name: "bilstm, CRF",
    language: "chinese",
    settings: async () => ({
      encoder: { name: "bilstm", units: 8, wordWidth: 8 },
      head: { ...token, scheme: "bmeso" },
    }),
  },
  {
    name: "bilstm, angles without a CRF",
    language: "english",
    settings: async () => ({
      encoder: { name: "bilstm", units: 8, wordWidth: 8 },
      head: { ...token, output: "softmax", scores: "angle" },
    }),
  },
  {
    name: "transformer with features, CRF",
    language: "english",
    settings: async () => ({
      encoder: { name: "transformer", from: await tiny(), features: true, window: 12 },
      head: token,
    }),
  },
  {
    name: "mpnet, spans",
    language: "english",
    settings: async () => ({ encoder: { name: "transformer", from: await tiny("mpnet") }, head: span }),
  },
  {
    name: "flat, CRF",
    language: "chinese",
    settings: async () => ({
      encoder: { name: "flat", wordWidth: 8, heads: 2, headWidth: 8, layers: 2, words: await words() },
      head: token,
    }),
  },
  {
    name: "bert-word, CRF",
    language: "chinese",
    settings: async () => ({
      encoder: { name: "bert-word", from: await tiny(), units: 8, words: await words() },
      head: token,
    }),
  },
  {
    name: "lebert, CRF",
    language: "chinese",
    settings: async () => ({ encoder: { name: "lebert", from: await tiny(), words: await words() }, head: token }),
  },
  {
    name: "stack of words, characters, shapes and a dictionary",
    language: "english",
    settings: stack(async () => [
      { name: "words", width: 6 },
      { name: "chars", width: 6, filters: 8 },
      { name: "shapes", width: 4 },
      { name: "dict", from: new URL("../samples/dictionary.tsv", import.meta.url).pathname },
    ]),
  },
  {
    name: "stack of pairs and a lexicon, without an LSTM",
    language: "chinese",
    settings: stack(
      async () => [
        { name: "words", width: 6 },
        { name: "bigrams", width: 6 },
        { name: "softlexicon", from: await lexicon(), width: 4 },
      ],
      { layers: 0 },
    ),
  },
  {
    name: "stack of frozen language models",
    language: "english",
    settings: stack(async () => [
      { name: "words", width: 6 },
      { name: "transformer", from: await tiny(), layers: [1, 2] },
      { name: "transformer", from: await tiny("roberta") },
      { name: "charlm", from: await writeCharlm() },
    ]),
  },
  {
    name: "stack over a transformer whose upper layer trains",
    language: "english",
    settings: stack(async () => [{ name: "transformer", from: await tiny(), train: "top:1", window: 16 }], {
      layers: 0,
    }),
  },
];

describe("an exported model", () => {
  it.each(cases)("finds what the recogniser finds: $name", async ({ language, settings }) => {
    const directory = await trained(language, await settings());
    const out = join(await temporaryFolder(), "out");
    const report = await exportModel(directory, out);
    expect(report.difference).toBeLessThan(1e-4);
    const recogniser = await Recogniser.load(directory);
    const exported = await openExported(out);
    let found = 0;
    for (const text of generatedTexts(language, 40)) {
      const expected = await recogniser.tag(text);
      assertSame(await exported.tag(text), expected);
      found += expected.length;
    }
    expect(found).toBeGreaterThan(10);
    await recogniser.dispose();
    await exported.dispose();
    const graph = decodeModel(await readFile(join(out, "model.onnx")));
    expect(eachNode(graph).filter(({ domain }) => domain)).toEqual([]);
  });
});

function assertSame(found: readonly TaggedEntity[], expected: readonly TaggedEntity[]): void {
  const place = ({ start, end, text, type }: TaggedEntity) => ({ start, end, text, type });
  expect(found.map(place)).toEqual(expected.map(place));
  found.forEach(({ score }, i) => {
    expect(Math.abs(score - expected[i]!.score)).toBeLessThan(1e-4);
  });
}
