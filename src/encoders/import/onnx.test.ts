import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encodeModel, type OnnxNode, type OnnxTensor } from "../../tensor/onnx-schema.ts";
import { readSafetensors } from "../../util/safetensors.ts";
import { loadTransformer } from "../transformer/index.ts";
import { temporaryFolder, tinyModel, wordPieceTokenizer } from "../transformer/tiny-models.suite.ts";
import { importOnnx } from "./onnx.ts";

const model = tinyModel("bert");
const isMatrix = (name: string): boolean => name.startsWith("encoder") && model.tensors[name]!.shape.length === 2;

/** An export as a converter makes it: matrices turned round, without their names. */
function floatExport(): Uint8Array {
  const initializer: OnnxTensor[] = [];
  const nodes: OnnxNode[] = [];
  for (const [name, { data, shape }] of Object.entries(model.tensors)) {
    if (!isMatrix(name)) {
      initializer.push(floats(name, shape, data));
      continue;
    }
    const operand = `onnx::MatMul_${nodes.length}`;
    initializer.push(floats(operand, shape.toReversed(), turned(data, shape)));
    nodes.push(node("MatMul", [`input of ${name}`, operand], [`product ${name}`]));
    nodes.push(node("Add", [name.replace(".weight", ".bias"), `product ${name}`], [`output of ${name}`]));
  }
  return encodeModel({ name: "tiny", node: nodes, initializer, input: [], output: [] });
}

/** The names of the other exporter, with matrices in int8 by column and tables in uint8 as a whole. */
function quantisedExport({ heads = 2, activation = "Gelu" } = {}): Uint8Array {
  const names: readonly (readonly [string, string])[] = [
    ["embeddings.LayerNorm.", "model.layers.-1.embeddings_norm_layernorm."],
    ["embeddings.", ".model.embeddings."],
    ["encoder.layer.", "model.layers."],
    ["attention.self.query.", "attn.q_proj.Add."],
    ["attention.self.key.", "attn.k_proj.Add."],
    ["attention.self.value.", "attn.v_proj.Add."],
    ["attention.output.dense.", "attn.o_proj.Add."],
    ["attention.output.LayerNorm.", "attention_output_norm_layernorm."],
    ["intermediate.dense.", "mlp.fc1.Add."],
    ["output.dense.", "mlp.fc2.Add."],
    ["output.LayerNorm.", "mlp_output_norm_layernorm."],
  ];
  const exported = (name: string): string => {
    const [from, to] = names.find(([prefix]) => name.startsWith(prefix)) ?? ["", ""];
    const rest = name.slice(from.length);
    return from === "encoder.layer."
      ? to +
          rest.replace(
            /^(\d+\.)(.*\.)(\w+)$/,
            (_, layer, part, kind) => layer + names.find(([each]) => each === part)![1] + kind,
          )
      : to + rest;
  };
  const initializer: OnnxTensor[] = [];
  const nodes = [
    node(activation, [], ["activated"]),
    node("LayerNormalization", [], ["normalised"], { name: "epsilon", type: 1, f: 1e-12 }),
    ...(heads > 0 ? [node("MultiHeadAttention", [], ["mixed"], { name: "num_heads", type: 2, i: heads })] : []),
  ];
  for (const [name, { data, shape }] of Object.entries(model.tensors)) {
    const matrix = isMatrix(name);
    if (!matrix && shape.length === 1) initializer.push(floats(exported(name), shape, data));
    else {
      const base = matrix ? exported(name).replace(".Add.", ".MatMul.") : exported(name);
      initializer.push(
        ...(matrix ? int8ByColumn(base, turned(data, shape), shape.toReversed()) : uint8(base, data, shape)),
      );
      if (!matrix) continue;
      const bias = exported(name.replace(".weight", ".bias"));
      nodes.push(node("MatMulInteger", ["x", `${base}_quantized`, "zero", `${base}_zero_point`], [`${base} product`]));
      nodes.push(node("Cast", [`${base} product`], [`${base} cast`]));
      nodes.push(node("Mul", [`${base} cast`, "scales"], [`${base} scaled`]));
      nodes.push(node("Add", [`${base} scaled`, bias], [`${base} output`]));
    }
  }
  return encodeModel({ name: "tiny", node: nodes, initializer, input: [], output: [] });
}

function node(opType: string, input: string[], output: string[], ...attribute: OnnxNode["attribute"]): OnnxNode {
  return { opType, input, output, attribute };
}

function floats(name: string, dims: readonly number[], data: Float32Array): OnnxTensor {
  return { name, dims, dataType: 1, rawData: new Uint8Array(data.buffer) };
}

/** Scale and zero point stand in lists beside the bytes, as the quantiser writes them. */
function parts(
  base: string,
  dims: readonly number[],
  numbers: Int8Array | Uint8Array,
  scale: number[],
  zero: number[],
): OnnxTensor[] {
  const dataType = numbers instanceof Int8Array ? 3 : 2;
  const size = scale.length === 1 ? [] : [scale.length];
  return [
    { name: `${base}_scale`, dims: size, dataType: 1, floatData: scale } as never,
    { name: `${base}_zero_point`, dims: size, dataType, int32Data: zero } as never,
    { name: `${base}_quantized`, dims, dataType, rawData: new Uint8Array(numbers.buffer) },
  ];
}

function int8ByColumn(base: string, data: Float32Array, dims: readonly number[]): OnnxTensor[] {
  const columns = dims[1]!;
  const scale = Array.from({ length: columns }, (_, j) =>
    Math.fround(Math.max(...data.map((x, i) => (i % columns === j ? Math.abs(x) : 0))) / 100),
  );
  const zero = scale.map((_, j) => (j % 3) - 1);
  return parts(
    base,
    dims,
    Int8Array.from(data, (x, i) => Math.round(x / scale[i % columns]!) + zero[i % columns]!),
    scale,
    zero,
  );
}

function uint8(base: string, data: Float32Array, dims: readonly number[]): OnnxTensor[] {
  const scale = Math.fround(Math.max(...data.map(Math.abs)) / 120);
  return parts(
    base,
    dims,
    Uint8Array.from(data, (x) => Math.round(x / scale) + 125),
    [scale],
    [125],
  );
}

function turned(data: Float32Array, [rows = 0, columns = 0]: readonly number[]): Float32Array {
  return Float32Array.from(data, (_, i) => data[(i % rows) * columns + Math.floor(i / rows)]!);
}

/** A folder with the files of an export. */
async function exportOf(onnx: Uint8Array, files: Readonly<Record<string, unknown>>): Promise<string> {
  const directory = await temporaryFolder();
  await mkdir(join(directory, "onnx"));
  await writeFile(join(directory, "onnx", "model.onnx"), onnx);
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), JSON.stringify(content));
  return directory;
}

const target = async (): Promise<string> => join(await temporaryFolder(), "out");
const { config } = model;
const tokenizer = wordPieceTokenizer({ lowercase: true });

describe("importing a float export", () => {
  it("finds each matrix by the bias behind it, and gives back the checkpoint number for number", async () => {
    const directory = await exportOf(floatExport(), { "config.json": config, "tokenizer.json": tokenizer });
    const out = await target();
    const report = await importOnnx(directory, out);
    const written = readSafetensors(join(out, "model.safetensors"));
    expect([...written.keys()].sort()).toEqual(Object.keys(model.tensors).sort());
    for (const [name, { data, shape }] of Object.entries(model.tensors))
      expect(written.get(name), name).toEqual({ data, shape });
    expect(JSON.parse(await readFile(join(out, "config.json"), "utf8"))).toEqual(config);
    expect(JSON.parse(await readFile(join(out, "tokenizer.json"), "utf8"))).toEqual(tokenizer);
    const numbers = Object.values(model.tensors).reduce((total, { data }) => total + data.length, 0);
    expect(report).toMatchObject({
      parameters: numbers,
      lowercased: false,
      tokeniser: join(directory, "tokenizer.json"),
    });
    expect((await loadTransformer(out, [])).name).toBe("transformer");
  });
});

describe("importing a quantised export", () => {
  it("takes scales and zero points off, to within half a step", async () => {
    const directory = await exportOf(quantisedExport(), { "tokenizer.json": tokenizer });
    const out = await target();
    await importOnnx(join(directory, "onnx", "model.onnx"), out);
    const written = readSafetensors(join(out, "model.safetensors"));
    for (const [name, { data, shape }] of Object.entries(model.tensors)) {
      expect(written.get(name)?.shape, name).toEqual(shape);
      const worst = Math.max(...data.map((x, i) => Math.abs(x - written.get(name)!.data[i]!)));
      // No weight exceeds the largest, of which a step is one part in a hundred.
      expect(worst, name).toBeLessThanOrEqual(shape.length === 1 ? 0 : 0.00501 * Math.max(...data.map(Math.abs)));
    }
  });

  it("describes the model from its graph and its shapes", async () => {
    const directory = await exportOf(quantisedExport(), { "tokenizer.json": tokenizer });
    const out = await target();
    await importOnnx(directory, out);
    expect(JSON.parse(await readFile(join(out, "config.json"), "utf8"))).toEqual({
      architectures: ["BertModel"],
      ...config,
      hidden_dropout_prob: 0.1,
      attention_probs_dropout_prob: 0.1,
    });
  });

  it("asks for a config where the graph does not tell the number of heads", async () => {
    const directory = await exportOf(quantisedExport({ heads: 0 }), { "tokenizer.json": tokenizer });
    await expect(importOnnx(directory, await target())).rejects.toThrow(
      "the graph does not say how many attention heads it has; put a config.json beside it",
    );
  });
});

describe("the activation of a model without a config", () => {
  const activationOf = async (activation: string): Promise<unknown> => {
    const directory = await exportOf(quantisedExport({ activation }), { "tokenizer.json": tokenizer });
    return (await importOnnx(directory, await target())).architecture.activation;
  };

  it("is read from the graph", async () => {
    expect(await activationOf("Erf")).toBe("gelu");
    expect(await activationOf("FastGelu")).toBe("gelu_new");
    expect(await activationOf("Relu")).toBe("relu");
    await expect(activationOf("Mish")).rejects.toThrow(
      "the graph has no known activation; put a config.json beside it",
    );
  });
});

describe("the tokenizer of an import", () => {
  it("lower-cases when the vocabulary has no capitals, and says so", async () => {
    const keeping = wordPieceTokenizer({ lowercase: false });
    const directory = await exportOf(floatExport(), { "config.json": config, "tokenizer.json": keeping });
    const out = await target();
    expect((await importOnnx(directory, out)).lowercased).toBe(true);
    expect(JSON.parse(await readFile(join(out, "tokenizer.json"), "utf8"))).toEqual(tokenizer);
  });

  it("stays as it is when a word of the vocabulary has a capital", async () => {
    const keeping = wordPieceTokenizer({ lowercase: false });
    const vocabulary = keeping.model as { vocab: Record<string, number> };
    const cased = { ...keeping, model: { ...vocabulary, vocab: { ...vocabulary.vocab, "##S": 25 } } };
    const directory = await exportOf(floatExport(), { "config.json": config, "tokenizer.json": cased });
    expect((await importOnnx(directory, await target())).lowercased).toBe(false);
  });

  it("may come from elsewhere", async () => {
    const directory = await exportOf(floatExport(), { "config.json": config });
    const out = await target();
    await expect(importOnnx(directory, out)).rejects.toThrow(
      "has no tokenizer.json beside it; give one with --tokenizer",
    );
    const elsewhere = await exportOf(new Uint8Array(), { "onnx/tokenizer.json": tokenizer });
    const report = await importOnnx(directory, out, { tokeniser: elsewhere });
    expect(report.tokeniser).toBe(join(elsewhere, "onnx", "tokenizer.json"));
  });
});

describe("what cannot be imported", () => {
  it("is a file that is no ONNX model", async () => {
    const directory = await exportOf(Buffer.from("no protobuf"), { "tokenizer.json": tokenizer });
    await expect(importOnnx(directory, await target())).rejects.toThrow("model.onnx: is not an ONNX model");
  });

  it("is a graph that lacks a weight, or has it in another shape", async () => {
    const files = { "config.json": { ...config, num_hidden_layers: 3 }, "tokenizer.json": tokenizer };
    await expect(importOnnx(await exportOf(floatExport(), files), await target())).rejects.toThrow(
      "the graph must hold the weight encoder.layer.2.attention.self.query.weight of shape [8, 8], found none",
    );
    const wider = { ...files, "config.json": { ...config, intermediate_size: 16 } };
    await expect(importOnnx(await exportOf(floatExport(), wider), await target())).rejects.toThrow(
      "the graph must hold the weight encoder.layer.0.intermediate.dense.weight of shape [16, 8], got [12, 8]",
    );
  });

  it("is one of several models in a folder, until it is named", async () => {
    const directory = await exportOf(floatExport(), { "config.json": config, "tokenizer.json": tokenizer });
    await writeFile(join(directory, "other.onnx"), "");
    await expect(importOnnx(directory, await target())).rejects.toThrow(
      `${directory}: holds ${join("onnx", "model.onnx")} and other.onnx: give the path of the one to take`,
    );
  });

  it("leaves a directory alone that holds something", async () => {
    const directory = await exportOf(floatExport(), { "config.json": config, "tokenizer.json": tokenizer });
    await expect(importOnnx(directory, directory)).rejects.toThrow("the directory to write exists and is not empty");
  });
});
