import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeCharlm } from "../src/encoders/sources/tiny-charlm.suite.ts";
import { temporaryFolder, tinyModel, writeModel } from "../src/encoders/transformer/tiny-models.suite.ts";
import { exporters, exportModel, openExported } from "../src/export/index.ts";
import { Recogniser, type TaggedEntity } from "../src/inference/index.ts";
import { decodeModel, eachNode, onnxRuntime } from "../src/tensor/index.ts";
import { InputError } from "../src/util/errors.ts";
import { type Description, ExportedRecogniser, type OnnxRuntime } from "../src/web/index.ts";
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
    name: "bilstm, biaffine spans",
    language: "english",
    settings: async () => ({
      encoder: { name: "bilstm", units: 8, wordWidth: 8 },
      head: { ...span, scorer: "biaffine" },
    }),
  },
  {
    name: "bilstm, vectors of types",
    language: "english",
    settings: async () => ({
      encoder: { name: "bilstm", units: 8, wordWidth: 8 },
      head: { ...span, name: "mrc" },
    }),
  },
  {
    name: "bilstm, ties and breaks",
    language: "chinese",
    settings: async () => ({
      encoder: { name: "bilstm", units: 8, wordWidth: 8 },
      head: { ...span, name: "autoner" },
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

describe("export", () => {
  it("describes labels, decoding and every file with its hash", async () => {
    const { out } = await exportedModel({ head: token });
    const description: Description = JSON.parse(await readFile(join(out, "lacuna.json"), "utf8"));
    expect(description.labels).toEqual(["O", "B-ORG", "I-ORG", "B-PER", "I-PER"]);
    expect(description.decode).toMatchObject({ kind: "tags", bias: [0, 0, 0, 0, 0], overlap: "flat", minScore: 0 });
    expect(Object.keys(description.files).sort()).toEqual(["model.onnx", "vocabulary.json"]);
    for (const [name, { bytes, sha256 }] of Object.entries(description.files)) {
      const content = await readFile(join(out, name));
      expect({ bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") }).toEqual({
        bytes,
        sha256,
      });
    }
    const read = decodeModel(await readFile(join(out, "model.onnx"))).input.map(({ name }) => name);
    expect(read.every((name) => JSON.stringify(description.inputs).includes(`"${name}"`))).toBe(true);
  });

  it.each([token, span])("lets a bias of labels change what wins, and no probability: $name", async (head) => {
    const { directory, out } = await exportedModel({ head });
    const file = join(out, "lacuna.json");
    const description: Description = JSON.parse(await readFile(file, "utf8"));
    const biased = async (bias: (label: string) => number): Promise<TaggedEntity[]> => {
      const decode = { ...description.decode, bias: description.labels.map((label, i) => (i === 0 ? 0 : bias(label))) };
      await writeFile(file, JSON.stringify({ ...description, decode }));
      const exported = await openExported(out);
      return exported.tag("the cats sat near Tony and Acme Corp .").finally(() => exported.dispose());
    };
    const recogniser = await Recogniser.load(directory);
    assertSame(await biased(() => 0), await recogniser.tag("the cats sat near Tony and Acme Corp ."));
    await recogniser.dispose();
    expect(await biased(() => -1000)).toEqual([]);
    const people = await biased((label) => (label.endsWith("PER") ? 1000 : 0));
    expect(people.length).toBeGreaterThan(0);
    expect(people.every(({ type, score }) => type === "PER" && score <= 1)).toBe(true);
  });

  it("in bytes is smaller and finds most of the same", async () => {
    const encoder = { name: "bilstm", units: 64, wordWidth: 64 };
    const { directory, out, report } = await exportedModel({ encoder, head: token });
    const small = join(await temporaryFolder(), "small");
    const { bytes, precision } = await exportModel(directory, small, { int8: true });
    expect(precision).toBe("int8");
    expect(bytes).toBeLessThan(0.75 * report.bytes);
    const graph = decodeModel(await readFile(join(small, "model.onnx")));
    expect(graph.node.filter(({ opType }) => opType === "MatMulInteger").length).toBeGreaterThan(0);
    expect(eachNode(graph).filter(({ domain }) => domain)).toEqual([]);
    const [whole, less] = [await openExported(out), await openExported(small)];
    let [same, all] = [0, 0];
    for (const text of generatedTexts("english", 40)) {
      const places = (await less.tag(text)).map(({ start, end, type }) => `${start} ${end} ${type}`);
      const expected = (await whole.tag(text)).map(({ start, end, type }) => `${start} ${end} ${type}`);
      all += Math.max(places.length, expected.length);
      same += expected.filter((place) => places.includes(place)).length;
    }
    expect(same / all).toBeGreaterThan(0.9);
    await whole.dispose();
    await less.dispose();
  });

  it("leaves nothing behind when it is interrupted or a check fails, and does not touch a directory in use", async () => {
    const { directory } = await exportedModel({ head: token });
    const folder = await temporaryFolder();
    const controller = new AbortController();
    const stopped = exportModel(directory, join(folder, "a"), {
      signal: controller.signal,
      check: async () => controller.abort(new Error("stop")),
    });
    await expect(stopped).rejects.toThrow("stop");
    const failed = exportModel(directory, join(folder, "b"), { check: () => Promise.reject(new Error("worse")) });
    await expect(failed).rejects.toThrow("worse");
    expect(await readdir(folder)).toEqual([]);
    await mkdir(join(folder, "used"));
    await writeFile(join(folder, "used/mine.txt"), "mine");
    await expect(exportModel(directory, join(folder, "used"))).rejects.toThrow("exists and is not empty");
    expect(await readdir(join(folder, "used"))).toEqual(["mine.txt"]);
  });

  it("refuses what is no model, and a description that is not of an exported model", async () => {
    const folder = await temporaryFolder();
    await expect(exportModel(folder, join(folder, "out"))).rejects.toThrow("is this a model directory?");
    const file = join(folder, "lacuna.json");
    await writeFile(file, "{");
    await expect(openExported(folder)).rejects.toThrow("lacuna.json: not the lacuna.json of an exported model: ");
    await writeFile(file, '{"format":"other"}');
    await expect(openExported(folder)).rejects.toThrow('format: expected "lacuna-export", got "other"');
    await writeFile(file, '{"format":"lacuna-export","version":2}');
    await expect(openExported(folder)).rejects.toThrow("version: expected 1, got 2; update lacuna-ner");
  });
});

describe("an exported folder that somebody changed", () => {
  it("is refused in one line that names the file", async () => {
    const { out } = await exportedModel({ head: span });
    const description: Description = JSON.parse(await readFile(join(out, "lacuna.json"), "utf8"));
    const model = await readFile(join(out, "model.onnx"));
    const vocabulary = await readFile(join(out, "vocabulary.json"), "utf8");
    const ort = onnxRuntime() as unknown as OnnxRuntime;
    const tagWith = async (changed: object, weights: Uint8Array, words: string): Promise<unknown> => {
      const changedFiles = { "vocabulary.json": words };
      const opened = await ExportedRecogniser.open(ort, { ...description, ...changed }, weights, changedFiles);
      return opened.tag("Tom sat .").finally(() => opened.dispose());
    };
    expect(await tagWith({}, model, vocabulary)).toBeInstanceOf(Array);
    const refusals: readonly [() => Promise<unknown>, RegExp][] = [
      [() => tagWith({}, model, "{"), /^vocabulary\.json: not JSON: /],
      [() => tagWith({}, model, '{"words":{}}'), /^vocabulary\.json: words: expected a list, got \{\}$/],
      [() => tagWith({}, model, '{"words":["a",1]}'), /^vocabulary\.json: words\.1: expected a text, got 1$/],
      [() => tagWith({}, new Uint8Array([8, 1, 2]), vocabulary), /^model\.onnx: cannot be opened: /],
      [
        () => tagWith({ outputs: { scores: "constructor", logProbs: "logProbs" } }, model, vocabulary),
        /^the model has no output "constructor" \(known: /,
      ],
      [
        () => tagWith({ inputs: [] }, model, vocabulary),
        /^the model reads an input ".*" that lacuna\.json does not describe$/,
      ],
      [
        () => tagWith({ labels: [...description.labels, "X"] }, model, vocabulary),
        /^the output ".*" must be \[1, 6, 4\], got \[1, 6, 3\]$/,
      ],
    ];
    for (const [refused, message] of refusals) {
      const error = await refused().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(InputError);
      expect((error as InputError).message).toMatch(message);
    }
    await writeFile(join(out, "vocabulary.json"), vocabulary.replace(/[a-z]/, "#"));
    await expect(openExported(out)).rejects.toThrow("vocabulary.json: is not the file that lacuna.json describes");
    await writeFile(join(out, "vocabulary.json"), "{}");
    await expect(openExported(out)).rejects.toThrow(/vocabulary\.json: expected \d+ bytes, got 2/);
  });
});

describe("export to transformers.js", () => {
  it("writes the scores of the model for every sub-word", async () => {
    const encoder = { name: "transformer", from: await writeModel(tinyModel("mpnet")), features: false };
    const { directory } = await exportedModel({ encoder, head: { ...token, output: "softmax" } });
    const out = join(await temporaryFolder(), "js");
    const { files, difference } = await exporters["transformers.js"](directory, out);
    expect(difference).toBeLessThan(1e-5);
    expect([...files].sort()).toEqual(["config.json", "onnx/model.onnx", "tokenizer.json", "tokenizer_config.json"]);
    const config = JSON.parse(await readFile(join(out, "config.json"), "utf8"));
    expect(config).toMatchObject({
      model_type: "mpnet",
      architectures: ["MPNetForTokenClassification"],
      num_labels: 5,
    });
    expect(config.id2label).toEqual({ 0: "O", 1: "B-ORG", 2: "I-ORG", 3: "B-PER", 4: "I-PER" });
    const { input, output } = decodeModel(await readFile(join(out, "onnx/model.onnx")));
    expect([...input, ...output].map(({ name }) => name)).toEqual(["input_ids", "attention_mask", "logits"]);
    const small = await exporters["transformers.js"](directory, join(dirname(out), "small"), { int8: true });
    expect(small.files).toContain("onnx/model_quantized.onnx");
  });

  it.each([
    ["spans", { head: span }, /the head of this model is "span"; export it with --to onnx, or --to web/],
    ["a CRF", { head: token }, /depend on one another \(head.output=crf\).*--set head.output=softmax/],
    [
      "an LSTM",
      { head: { ...token, output: "softmax" } },
      /the encoder of this model is "bilstm".*--encoder transformer:DIR/,
    ],
  ] as [string, object, RegExp][])("refuses %s and names the way out", async (_, settings, reason) => {
    const { directory } = await exportedModel(settings);
    const folder = await temporaryFolder();
    await expect(exporters["transformers.js"](directory, join(folder, "js"))).rejects.toThrow(reason);
    expect(await readdir(folder)).toEqual([]);
  });
});

/** A small model, and what was exported from it. */
async function exportedModel(settings: object) {
  const directory = await trained("english", { encoder: { name: "bilstm", units: 8, wordWidth: 8 }, ...settings });
  const out = join(await temporaryFolder(), "out");
  return { directory, out, report: await exportModel(directory, out) };
}

function assertSame(found: readonly TaggedEntity[], expected: readonly TaggedEntity[]): void {
  const place = ({ start, end, text, type }: TaggedEntity) => ({ start, end, text, type });
  expect(found.map(place)).toEqual(expected.map(place));
  found.forEach(({ score }, i) => {
    expect(Math.abs(score - expected[i]!.score)).toBeLessThan(1e-4);
  });
}
