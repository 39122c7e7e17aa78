import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { importOnnx } from "../src/encoders/import/onnx.ts";
import { restoreEncoder } from "../src/encoders/index.ts";
import { wordPieceTokenizer } from "../src/encoders/transformer/tiny-models.suite.ts";
import { subwordTokeniser } from "../src/encoders/transformer/tokeniser.ts";
import { loadWordVectors } from "../src/encoders/word-vectors.ts";
import { Recogniser } from "../src/inference/recogniser.ts";
import { completeSettings } from "../src/methods/complete.ts";
import { plannedRuns } from "../src/studies/grid.ts";
import { readResults } from "../src/studies/results.ts";
import { findStudy } from "../src/studies/select.ts";
import { parseStudy } from "../src/studies/study.ts";
import { encodeModel, type OnnxNode, type OnnxTensor } from "../src/tensor/onnx-schema.ts";
import { merge, settingOf } from "../src/training/merge.ts";
import { InputError } from "../src/util/errors.ts";
import { readSafetensors, writeSafetensors } from "../src/util/safetensors.ts";
import { parseHeader } from "../src/util/safetensors-header.ts";
import { readStructured } from "../src/util/structured-file.ts";
import { makeFolder, sharedFolder } from "./cli/lacuna.ts";
import { trainTiny } from "./cli/tiny.ts";

const names = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf"];
const deep = (depth: number): string => `${'{"a":['.repeat(depth / 2)}1${"]}".repeat(depth / 2)}`;

/** Expects an error that tells the user what is wrong with the input, and not one of the program. */
async function expectInputError(work: () => unknown, message?: string | RegExp): Promise<void> {
  const error = await Promise.resolve()
    .then(work)
    .then(
      () => new Error("nothing was refused"),
      (thrown) => thrown,
    );
  expect(error).toBeInstanceOf(InputError);
  if (message !== undefined) expect(error.message).toMatch(message);
  expect(error.message.length).toBeLessThan(4000);
}

describe("names that every object answers to", () => {
  it.each(names)("%s is no method, preset, encoder, setting, vectors or axis", async (name) => {
    await expectInputError(() => completeSettings({ method: name }), /^method: unknown /);
    await expectInputError(() => completeSettings({ method: "uniform", preset: name }), /unknown preset/);
    await expectInputError(() => restoreEncoder(name, {}, {}), /^encoder: unknown/);
    await expectInputError(() => loadWordVectors(name), /no such file or known package/);
    await expectInputError(
      () => completeSettings(JSON.parse(`{"${name}": 1}`)),
      /unknown setting|nothing can be called/,
    );
    await expectInputError(
      () => completeSettings(settingOf(`encoder.${name}=1`)),
      /unknown setting|nothing can be called/,
    );
    await expectInputError(() => runsOf({ groups: [JSON.parse(`{"${name}": [1]}`)] }), /unknown axis|nothing can/);
    await expectInputError(() => findStudy(name, []), /no study/);
  });

  it.each(names.filter((name) => name !== "__proto__"))("data may be called %s", async (name) => {
    const runs = await runsOf({ data: JSON.parse(`{"${name}": "toy"}`) });
    expect(runs.map(({ files }) => files.dev)).toEqual(["toy/dev.conll"]);
  });

  async function runsOf(study: object) {
    const folder = makeFolder({
      "study.json": JSON.stringify({ title: "t", purpose: "p", data: { toy: "t" }, ...study }),
    });
    const file = join(folder.path, "study.json");
    return plannedRuns(parseStudy(await readStructured(file, "study"), file), file);
  }

  it("settings that are merged change no prototype", () => {
    const merged = merge({}, JSON.parse('{"__proto__": {"polluted": true}}'));
    expect(Object.keys(merged)).toEqual(["__proto__"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe("values that are nested thousands deep", () => {
  const folder = sharedFolder({
    "settings.json": deep(6000),
    "settings.yaml": deep(6000),
    "results.jsonl": `${deep(6000)}\n`,
  });

  it("are refused in settings, studies, results, headers of weights and saved encoders", async () => {
    await expectInputError(() => completeSettings(JSON.parse(deep(6000))), /nested more than 200 deep/);
    await expectInputError(() => readStructured(join(folder.path, "settings.json"), "settings file"), /nested/);
    await expectInputError(() => readStructured(join(folder.path, "settings.yaml"), "settings file"));
    await expectInputError(() => readResults(join(folder.path, "results.jsonl")), /nested more than 200 deep/);
    await expectInputError(() => parseHeader(Buffer.from(deep(6000)), 0, "w.safetensors"), /must be an object|shape/);
    await expectInputError(() => restoreEncoder("bilstm", {}, { "vocabulary.json": deep(6000) }), /nested/);
    await expectInputError(() => completeSettings(settingOf(`${"a.".repeat(6000)}b=1`)), /nested/);
  });
});

describe("a study", () => {
  const study = (more: object): unknown => ({ title: "t", purpose: "p", data: { toy: "toy" }, ...more });

  it.each(["../../etc", "/etc", "a/../../b", "..", "C:\\data"])(
    "reads no data outside its folder: %s",
    async (folder) => {
      const parsed = parseStudy(study({ data: { toy: folder } }), "study.yaml");
      await expectInputError(() => plannedRuns(parsed, "study.yaml"), /data must lie below the data folder/);
    },
  );

  it("asks for no more runs than can be counted", async () => {
    const axis = { setting: "epochs", values: Array.from({ length: 200 }, (_, i) => i + 1) };
    const parsed = parseStudy(study({ axes: { a: axis, b: axis, c: axis, d: axis, e: axis, f: axis } }), "study.yaml");
    await expectInputError(() => plannedRuns(parsed, "study.yaml"), /more than 100000 runs/);
  });
});

describe("a tokenizer", () => {
  const json = wordPieceTokenizer({ lowercase: true });
  const open = (changes: object) => subwordTokeniser(JSON.stringify({ ...json, ...changes }), "tokenizer.json");

  it.each<[string, object]>([
    ["a pre-tokenizer of no kind", { pre_tokenizer: 7 }],
    ["an unknown pre-tokenizer", { pre_tokenizer: { type: "constructor" } }],
    ["added tokens that are no list", { added_tokens: { a: 1 } }],
    ["an added token without a text", { added_tokens: [{ id: 1 }] }],
    ["no model", { model: null }],
    ["a model without a vocabulary", { model: { type: "WordPiece", unk_token: "[UNK]" } }],
    ["a pattern that is none", { pre_tokenizer: { type: "Split", pattern: { Regex: "(" }, behavior: "Isolated" } }],
    ["a template of nothing", { post_processor: { type: "TemplateProcessing", single: [null], special_tokens: {} } }],
    ["ids that are none", { model: { ...(json.model as object), vocab: { "[UNK]": 1, a: [] } } }],
    ["an id beyond any table", { model: { ...(json.model as object), vocab: { "[UNK]": 1, a: 4e9 } } }],
    ["a number for the unknown token", { model: { ...(json.model as object), unk_token: 5 } }],
  ])("with %s is refused as one that cannot be used", async (_, changes) => {
    await expectInputError(() => open(changes), /^tokenizer\.json: /);
  });

  it("that has no id for a word, nor for unknown ones, is refused when the word comes", async () => {
    const tokeniser = open({ model: { vocab: { a: 5 }, unk_id: 1 }, normalizer: null });
    await expectInputError(() => tokeniser.pieces("cats"), /no ids for "cats"/);
  });

  it("whose pattern would match for years is stopped", async () => {
    const tokeniser = open({ pre_tokenizer: { type: "Split", pattern: { Regex: "(a+)+$" }, behavior: "Isolated" } });
    expect(tokeniser.pieces("cats").length).toBeGreaterThan(0);
    await expectInputError(() => tokeniser.pieces(`${"a".repeat(60)}b`), /a pattern takes too long to match a word/);
  });
});

describe("an ONNX file", () => {
  const folder = sharedFolder({ "tokenizer.json": JSON.stringify(wordPieceTokenizer({ lowercase: true })) });
  const node = (opType: string, input: string[], output: string[]): OnnxNode => ({
    opType,
    input,
    output,
    attribute: [],
  });
  const matrix: OnnxTensor = { name: "m", dims: [1, 1], dataType: 1, rawData: new Uint8Array(4) };
  let count = 0;
  const importing = (nodes: OnnxNode[], initializer: OnnxTensor[]): Promise<unknown> => {
    folder.write(
      "model.onnx",
      Buffer.from(encodeModel({ name: "g", node: nodes, initializer, input: [], output: [] })),
    );
    return importOnnx(join(folder.path, "model.onnx"), join(folder.path, `out${count++}`));
  };

  it.each<[string, OnnxNode[], OnnxTensor[]]>([
    [
      "whose graph goes round in a circle",
      [node("MatMul", ["x", "m"], ["p"]), node("Cast", ["p"], ["q"]), node("Cast", ["q"], ["p"])],
      [matrix],
    ],
    ["whose node reads itself", [node("MatMul", ["x", "m"], ["p"]), node("Mul", ["p"], ["p"])], [matrix]],
    ["with a product of nothing", [node("MatMul", [], [])], [matrix]],
    ["with a product that goes nowhere", [node("MatMul", ["x", "m"], [])], [matrix]],
    ["with a tensor of negative size", [], [{ ...matrix, dims: [-1, 2] }]],
    ["with a tensor larger than the file", [], [{ ...matrix, dims: [2 ** 40, 2 ** 40] }]],
  ])("%s is refused in one line", async (_, nodes, tensors) => {
    await expectInputError(() => importing(nodes, tensors));
  });
});

describe("word vectors", () => {
  const folder = sharedFolder();
  beforeAll(() => {
    process.env.LACUNA_CACHE = join(folder.scratch, "cache");
  });
  afterAll(() => {
    delete process.env.LACUNA_CACHE;
  });
  const load = (name: string, content: string | Buffer) => {
    folder.write(name, content);
    return loadWordVectors(join(folder.path, name));
  };

  it.each<[string, string, string | Buffer]>([
    ["an empty object", "v.json", "{}"],
    ["a word without a vector", "v.json", '{"words":["a"],"vectors":{},"dimensions":2}'],
    ["a word that every object has", "v.json", '{"words":["constructor"],"vectors":{},"dimensions":2}'],
    ["a vector that is too short", "v.json", '{"words":["a"],"vectors":{"a":[1]},"dimensions":2}'],
    ["billions of words in a few bytes", "v.bin", "3000000000 300\na "],
    ["a width beyond sense", "v.bin", "1 3000000000\na "],
    ["a word without an end", "v.bin", Buffer.concat([Buffer.from("1 1\n"), Buffer.alloc(20_000, 0x61)])],
    ["numbers that are none", "v.txt", "a 1 x\n"],
    ["a word alone", "v.txt", "a\n"],
  ])("with %s are refused", async (_, name, content) => {
    await expectInputError(() => load(name, content), /word vectors/);
  });

  it("of a binary file are those that stand there, wherever its pieces are cut", async () => {
    const [count, width] = [9_000, 101];
    const pieces = Array.from({ length: count }, (_, row) => {
      const numbers = Float32Array.from({ length: width }, (__, i) => Math.sin(row * width + i));
      return Buffer.concat([Buffer.from(`wörd${row} `), Buffer.from(numbers.buffer), Buffer.from("\n")]);
    });
    const {
      words,
      values,
      width: found,
    } = await load("v.bin", Buffer.concat([Buffer.from(`${count} ${width}\n`), ...pieces]));
    expect(found).toBe(width);
    expect(words.every((word, row) => word === `wörd${row}`)).toBe(true);
    expect(values.every((value, at) => value === Math.fround(Math.sin(at)))).toBe(true);
  });
});

describe("a model folder", () => {
  const trained = sharedFolder();
  beforeAll(() => trainTiny(trained, "model"));
  let model: string;
  beforeEach(() => {
    model = join(makeFolder().path, "model");
    cpSync(join(trained.path, "model"), model, { recursive: true });
  });
  type Config = Record<string, never> & { encoder: { settings: object; files: string[] }; head: object };
  const change = (changed: (config: Config) => unknown): void => {
    const file = join(model, "config.json");
    writeFileSync(file, JSON.stringify(changed(JSON.parse(readFileSync(file, "utf8")) as Config)));
  };
  const sized = (settings: object) => (config: Config) => ({
    ...config,
    encoder: { ...config.encoder, settings: { ...config.encoder.settings, ...settings } },
  });

  it.each<[string, object, RegExp]>([
    ["layers", { layers: 1e9 }, /encoder\.layers is 1000000000, but the weights hold \d+ numbers in \d+ tensors/],
    ["units", { units: 1e12 }, /encoder\.units is 1000000000000, but the weights hold/],
    ["units that fit no weight", { units: 999_999 }, /must have shape/],
    ["vectors", { wordWidth: 900_000 }, /must have shape|do not make a model/],
    ["a setting of another kind", { units: "many" }, /not that of a saved encoder: units: expected/],
  ])("with %s beyond its weights is refused before anything is made", async (_, settings, message) => {
    change(sized(settings));
    await expectInputError(() => Recogniser.load(model), message);
  });

  it.each(["../secret.json", "/etc/passwd", "..", "a/../../x"])("opens no file outside: %s", async (name) => {
    writeFileSync(join(model, "..", "secret.json"), "{}");
    change((config) => ({ ...config, encoder: { ...config.encoder, files: [name] } }));
    await expectInputError(() => Recogniser.load(model), /expected the plain name of a file in it/);
  });

  it("opens no file outside through a link, and waits for no FIFO", async () => {
    writeFileSync(join(model, "..", "secret.json"), "{}");
    unlinkSync(join(model, "vocabulary.json"));
    symlinkSync("../secret.json", join(model, "vocabulary.json"));
    await expectInputError(() => Recogniser.load(model), /points elsewhere/);
    for (const name of ["vocabulary.json", "model.safetensors", "config.json"]) {
      rmSync(join(model, name));
      execFileSync("mkfifo", [join(model, name)]);
      await expectInputError(() => Recogniser.load(model), /FIFO/);
    }
  });

  it.each(["{}", "[]", '{"words":[1],"bigrams":null,"characters":null}', "null"])(
    "with the vocabulary %s is refused",
    async (text) => {
      writeFileSync(join(model, "vocabulary.json"), text);
      await expectInputError(() => Recogniser.load(model), /vocabulary\.json: not that of a saved encoder/);
    },
  );

  it("whose weights are no numbers is refused instead of finding nothing", async () => {
    const file = join(model, "model.safetensors");
    const tensors = Object.fromEntries(readSafetensors(file));
    const broken = Object.fromEntries(
      Object.entries(tensors).map(([name, { data, shape }]) => [name, { data: data.map(() => Number.NaN), shape }]),
    );
    await writeSafetensors(file, broken);
    await expectInputError(() => Recogniser.load(model), /holds numbers that are infinite or none at all/);
  });

  it("with more types than labels of its weights is refused", async () => {
    change((config) => ({ ...config, types: Array.from({ length: 1000 }, (_, i) => `T${i}`) }));
    await expectInputError(() => Recogniser.load(model), /must have shape/);
  });
});
