import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as ort from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { ParameterStore, Parameters } from "../../nn/index.ts";
import { Program } from "../../tensor/index.ts";
import {
  encodeModel,
  type OnnxAttribute,
  type OnnxGraph,
  type OnnxNode,
  type OnnxTensor,
} from "../../tensor/onnx-schema.ts";
import { InputError } from "../../util/errors.ts";
import { random } from "../../util/random.ts";
import { readSafetensors } from "../../util/safetensors.ts";
import { importOnnx } from "../import/onnx.ts";
import { parseArchitecture } from "../transformer/config.ts";
import { loadTransformer, transformerSettings } from "../transformer/index.ts";
import { sentenceOf, temporaryFolder, tinyModel, wordPieces } from "../transformer/tiny-models.suite.ts";
import { readOnnx, weightsIn } from "./file.ts";
import { configOf, huggingFaceNames } from "./names.ts";

const model = tinyModel("bert");
const hidden = 8;
const microsoft = "com.microsoft";

const floats = (name: string, dims: readonly number[], data: readonly number[] | Float32Array): OnnxTensor => ({
  ...{ name, dims, dataType: 1 },
  rawData: new Uint8Array(Float32Array.from(data).buffer),
});
const node = (
  opType: string,
  input: string[],
  output: string[],
  domain = "",
  ...attribute: OnnxAttribute[]
): OnnxNode => ({ opType, input, output, domain, attribute });
const weight = (name: string): Float32Array => model.tensors[name]!.data;
const shape = (name: string): readonly number[] => model.tensors[name]!.shape;
const heads: OnnxAttribute = { name: "num_heads", type: 2, i: 2 };
const epsilon: OnnxAttribute = { name: "epsilon", type: 1, f: 1e-12 };

/** `[out, in]` as it stands in a checkpoint → `[in, out]`. */
function turned(name: string): number[] {
  const [rows, columns] = shape(name) as [number, number];
  return Array.from({ length: rows * columns }, (_, i) => weight(name)[(i % rows) * columns + Math.floor(i / rows)]!);
}

/** Columns of queries, keys and values side by side. */
function packedColumns(layer: number): number[] {
  const parts = ["query", "key", "value"].map((part) => turned(`encoder.layer.${layer}.attention.self.${part}.weight`));
  return Array.from({ length: hidden }, (_, row) =>
    parts.flatMap((part) => part.slice(row * hidden, (row + 1) * hidden)),
  ).flat();
}

const packedBias = (layer: number): number[] =>
  ["query", "key", "value"].flatMap((part) => [...weight(`encoder.layer.${layer}.attention.self.${part}.bias`)]);

/** A graph of the operators to which ONNX Runtime's optimiser brings a BERT, all its weights without their names. */
function fusedGraph(attention: "Attention" | "MultiHeadAttention"): OnnxGraph {
  const initializer: OnnxTensor[] = [];
  const stored = (dims: readonly number[], data: readonly number[] | Float32Array): string => {
    initializer.push(floats(`w${initializer.length}`, dims, data));
    return `w${initializer.length - 1}`;
  };
  const kept = (name: string): string => stored(shape(name), weight(name));
  const matrix = (name: string): string => stored(shape(name).toReversed(), turned(name));
  const tables = ["word_embeddings", "position_embeddings", "token_type_embeddings"];
  const embedded = [...tables.map((name) => `${name}.weight`), "LayerNorm.weight", "LayerNorm.bias"];
  const nodes = [
    node(
      "EmbedLayerNormalization",
      ["ids", "types", ...embedded.map((name) => kept(`embeddings.${name}`))],
      ["x0", "mask index"],
      microsoft,
      epsilon,
    ),
  ];
  for (let layer = 0; layer < 2; layer++) {
    const at = (part: string): string => `encoder.layer.${layer}.${part}`;
    const x = `x${layer}`;
    if (attention === "Attention") {
      const [columns, bias] = [stored([hidden, 3 * hidden], packedColumns(layer)), stored([24], packedBias(layer))];
      nodes.push(node("Attention", [x, columns, bias], [`mixed${layer}`], microsoft, heads));
    } else {
      const parts = ["query", "key", "value"].map((part) => {
        nodes.push(node("MatMul", [x, matrix(at(`attention.self.${part}.weight`))], [`${part}${layer}`]));
        return `${part}${layer}`;
      });
      const inputs = [...parts, stored([24], packedBias(layer))];
      nodes.push(node("MultiHeadAttention", inputs, [`mixed${layer}`], microsoft, heads));
    }
    const norm = (from: string, skip: string, dense: string, name: string, to: string): OnnxNode =>
      node(
        "SkipLayerNormalization",
        [from, skip, ...["weight", "bias"].map((kind) => kept(at(`${name}.${kind}`))), kept(at(`${dense}.bias`))],
        [to],
        microsoft,
        epsilon,
      );
    nodes.push(
      node("MatMul", [`mixed${layer}`, matrix(at("attention.output.dense.weight"))], [`out${layer}`]),
      norm(`out${layer}`, x, "attention.output.dense", "attention.output.LayerNorm", `middle${layer}`),
      node("MatMul", [`middle${layer}`, matrix(at("intermediate.dense.weight"))], [`inner${layer}`]),
      node("BiasGelu", [`inner${layer}`, kept(at("intermediate.dense.bias"))], [`active${layer}`], microsoft),
      node("MatMul", [`active${layer}`, matrix(at("output.dense.weight"))], [`outer${layer}`]),
      norm(`outer${layer}`, `middle${layer}`, "output.dense", "output.LayerNorm", `x${layer + 1}`),
    );
  }
  const value = (name: string, elemType: number): never => ({ name, type: { tensorType: { elemType } } }) as never;
  return {
    name: "fused",
    node: nodes,
    initializer,
    input: [value("ids", 6), value("types", 6)],
    output: [value("x2", 1)],
  };
}

async function imported(graph: OnnxGraph, withConfig: boolean): Promise<string> {
  const [directory, out] = [await temporaryFolder(), join(await temporaryFolder(), "out")];
  await writeFile(join(directory, "model.onnx"), encodeModel(graph));
  await writeFile(join(directory, "tokenizer.json"), JSON.stringify(model.tokenizer));
  if (withConfig) await writeFile(join(directory, "config.json"), JSON.stringify(model.config));
  await importOnnx(directory, out);
  return out;
}

describe("a graph with fused nodes and no names", () => {
  it.each(["Attention", "MultiHeadAttention"] as const)("of %s gives back every weight by its place", async (kind) => {
    const written = readSafetensors(join(await imported(fusedGraph(kind), false), "model.safetensors"));
    expect([...written.keys()].sort()).toEqual(Object.keys(model.tensors).sort());
    for (const [name, { data, shape }] of Object.entries(model.tensors))
      expect(written.get(name), name).toEqual({ data, shape });
  });

  it.each(["Attention", "MultiHeadAttention"] as const)(
    "of %s gives the states that the graph itself gives",
    async (kind) => {
      const session = await ort.InferenceSession.create(encodeModel(fusedGraph(kind)));
      const row = ["[CLS]", "the", "cat", "##s", "sat", "[SEP]"].map((piece) => wordPieces.indexOf(piece));
      const ids = new ort.Tensor("int32", Int32Array.from(row), [1, row.length]);
      const types = new ort.Tensor("int32", new Int32Array(row.length), [1, row.length]);
      const expected = (await session.run({ ids, types })).x2!.data as Float32Array;
      await session.release();

      const encoder = await loadTransformer(
        await imported(fusedGraph(kind), true),
        [],
        transformerSettings.parse({ features: false }),
      );
      const params = new Parameters();
      const { first } = encoder.build(params, {});
      const program = await Program.compile({ first });
      const store = new ParameterStore(params.specs).initialise(1);
      const found = (await program.run({ ...encoder.batch([sentenceOf("the cats sat")]).feeds, ...store.tensors() }))
        .first!;
      await program.dispose();
      [1, 2, 4].forEach((place, word) => {
        for (let k = 0; k < hidden; k++)
          expect(found.data[word * hidden + k]).toBeCloseTo(expected[place * hidden + k]!, 4);
      });
    },
  );
});

/** Two rows by six columns of eight bits, its zero points and scales; what it stands for is written out by hand. */
const numbers = Int8Array.of(1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6);
const byColumn = { scales: [1, 2, 4, 8, 16, 32], zeros: [0, 1, 0, 1, 0, 1] };
const columnWise = [1, 2, 12, 24, 80, 160, -1, -6, -12, -40, -80, -224];
/** Zero point 2, scale 0.5. */
const asWhole = [-0.5, 0, 0.5, 1, 1.5, 2, -1.5, -2, -2.5, -3, -3.5, -4];

const int8 = (name: string, dims: readonly number[], data: readonly number[] | Int8Array): OnnxTensor => ({
  ...{ name, dims, dataType: 3 },
  rawData: new Uint8Array(Int8Array.from(data).buffer),
});

function quantisedGraph(product: OnnxNode[], columns: boolean): OnnxGraph {
  const { scales, zeros } = columns ? byColumn : { scales: [0.5], zeros: [2] };
  const size = columns ? [6] : [];
  return {
    name: "quantised",
    node: product,
    initializer: [
      int8("w", [2, 6], numbers),
      floats("s", size, scales),
      int8("z", size, zeros),
      floats("encoder.layer.0.output.dense.bias", [6], [0, 0, 0, 0, 0, 0]),
    ],
    input: [],
    output: [],
  };
}

const bias = "encoder.layer.0.output.dense.bias";
const forms: Readonly<Record<string, OnnxNode[]>> = {
  "MatMulInteger, cast and scaled": [
    node("DynamicQuantizeLinear", ["x"], ["xq", "xs", "xz"]),
    node("Mul", ["xs", "s"], ["both scales"]),
    node("MatMulInteger", ["xq", "w", "xz", "z"], ["whole"]),
    node("Cast", ["whole"], ["float"]),
    node("Mul", ["float", "both scales"], ["scaled"]),
    node("Add", [bias, "scaled"], ["y"]),
  ],
  DynamicQuantizeMatMul: [node("DynamicQuantizeMatMul", ["x", "w", "s", "z", bias], ["y"], microsoft)],
  MatMulIntegerToFloat: [
    node("DynamicQuantizeLinear", ["x"], ["xq", "xs", "xz"]),
    node("MatMulIntegerToFloat", ["xq", "w", "xs", "s", "xz", "z", bias], ["y"], microsoft),
  ],
  "DequantizeLinear before the product": [
    node("DequantizeLinear", ["w", "s", "z"], ["floats"], "", { name: "axis", type: 2, i: 1 }),
    node("MatMul", ["x", "floats"], ["y0"]),
    node("SkipLayerNormalization", ["y0", "x", "gamma", "beta", bias], ["y"], microsoft),
  ],
};

describe("a product of eight bits", () => {
  const outOf = (nodes: OnnxNode[], columns: boolean): number[] => {
    const { data, shape } = weightsIn(quantisedGraph(nodes, columns), "m.onnx").get(bias.replace("bias", "weight"))!;
    expect(shape).toEqual([6, 2]);
    return Array.from({ length: 12 }, (_, i) => data[(i % 6) * 2 + Math.floor(i / 6)]!);
  };

  it.each(Object.keys(forms))("by %s loses zero points and scales, of columns or of the whole", (form) => {
    expect(outOf(forms[form]!, true)).toEqual(columnWise);
    expect(outOf(forms[form]!, false)).toEqual(asWhole);
  });

  it("in attention is split into queries, keys and values", () => {
    const attention = node("QAttention", ["xq", "w", "b", "xs", "s", "", "xz", "z"], ["y"], microsoft, heads);
    const graph = quantisedGraph([attention], true);
    graph.initializer.push(floats("b", [6], [1, 2, 3, 4, 5, 6]));
    const weights = weightsIn(graph, "m.onnx");
    const part = (name: string): unknown => weights.get(`encoder.layer.0.attention.self.${name}`);
    expect(part("query.weight")).toEqual({ data: Float32Array.of(1, -1, 2, -6), shape: [2, 2] });
    expect(part("key.weight")).toEqual({ data: Float32Array.of(12, -12, 24, -40), shape: [2, 2] });
    expect(part("value.weight")).toEqual({ data: Float32Array.of(80, -80, 160, -224), shape: [2, 2] });
    expect(part("value.bias")).toEqual({ data: Float32Array.of(5, 6), shape: [2] });
  });

  it("has as many scales as columns, or one", () => {
    const graph = quantisedGraph(forms.DynamicQuantizeMatMul!, false);
    const initializer = [...graph.initializer.filter(({ name }) => name !== "s"), floats("s", [3], [1, 2, 3])];
    expect(() => weightsIn({ ...graph, initializer }, "m.onnx")).toThrow(
      'm.onnx: tensor "w" must have one scale, or one for each column, got 3 scales and 1 zero points',
    );
  });

  it("of embeddings has one scale for each table", () => {
    const tables = ["words", "places", "types", "gamma", "beta"];
    const quantised = tables.map((name, i) => int8(name, [1, 2], [i, 10 + i]));
    const scales = tables.map((name, i) => floats(`scale of ${name}`, [], [i + 1]));
    const zeros = tables.map((name) => int8(`zero of ${name}`, [], [1]));
    const names = [...quantised, ...scales, ...zeros].map(({ name }) => name);
    const input = ["ids", "types of ids", ...names.slice(0, 5), "", ...names.slice(5)];
    // The mask stands between tables and scales.
    const graph = {
      ...quantisedGraph([node("QEmbedLayerNormalization", input, ["x"], microsoft)], false),
      initializer: [...quantised, ...scales, ...zeros],
    };
    const weights = weightsIn(graph, "m.onnx");
    expect(weights.get("embeddings.word_embeddings.weight")!.data).toEqual(Float32Array.of(-1, 9));
    expect(weights.get("embeddings.token_type_embeddings.weight")!.data).toEqual(Float32Array.of(3, 33));
    expect(weights.get("embeddings.LayerNorm.bias")!.data).toEqual(Float32Array.of(15, 65));
  });
});

describe("numbers of a graph", () => {
  it("may be halves, brain floats, doubles or values of nodes", () => {
    const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
    const empty = quantisedGraph([], false);
    const value = { name: "value", type: 4, t: floats("", [2], [7, 8]) };
    const graph: OnnxGraph = {
      ...empty,
      node: [
        node("Constant", [], ["constant"], "", value),
        node("Identity", ["constant"], ["same"]),
        node("MatMul", ["x", "turned"], ["y0"]),
        node("Transpose", ["matrix"], ["turned"]),
        node("Add", ["y0", "a.bias"], ["y"]),
      ],
      initializer: [
        { name: "half", dims: [2], dataType: 10, rawData: bytes(0x00, 0x3c, 0x00, 0xc0) },
        { name: "brain", dims: [1], dataType: 16, rawData: bytes(0x80, 0x3f) },
        { name: "double", dims: [1], dataType: 11, rawData: new Uint8Array(Float64Array.of(2.5).buffer) },
        { name: "listed", dims: [1], dataType: 10, int32Data: [0x3800], rawData: bytes() },
        floats("matrix", [1, 2], [5, 6]),
        floats("a.bias", [1], [0]),
      ],
    };
    const weights = weightsIn(graph, "m.onnx");
    const found = ["half", "brain", "double", "listed", "constant", "a.weight"].map((name) => [
      ...weights.get(name)!.data,
    ]);
    expect(found).toEqual([[1, -2], [1], [2.5], [0.5], [7, 8], [5, 6]]);
    expect(weights.get("a.weight")!.shape).toEqual([1, 2]);
  });

  it("must stand in the file", () => {
    const outside = { name: "w", dims: [2], dataType: 1, rawData: new Uint8Array(), dataLocation: 1 };
    expect(() => weightsIn({ ...quantisedGraph([], false), initializer: [outside] }, "m.onnx")).toThrow(
      'm.onnx: tensor "w" stands in a file of its own, which cannot be read; export it in one file',
    );
  });
});

describe("graphs that are no models", () => {
  it("end, though they run in circles", () => {
    const circle = ["Cast", "Mul", "Identity", "Add", "DequantizeLinear"].flatMap((kind) => [
      node(kind, ["a", "b"], ["b", "a"]),
      node(kind, ["b", "a"], ["a"]),
    ]);
    const nodes = [node("MatMul", ["x", "a"], ["a"]), node("Attention", ["a", "b", "a"], ["a"], microsoft), ...circle];
    expect([...weightsIn({ ...quantisedGraph(nodes, false), initializer: [] }, "m.onnx")]).toEqual([]);
  });

  it("give an input error or weights, whichever bytes change or are cut", async () => {
    const graphs = [
      fusedGraph("Attention"),
      fusedGraph("MultiHeadAttention"),
      ...Object.values(forms).map((nodes) => quantisedGraph(nodes, true)),
    ].map(encodeModel);
    const file = join(await temporaryFolder(), "model.onnx");
    const rng = random(1, "damage");
    let refused = 0;
    for (let run = 0; run < 600; run++) {
      let bytes = Buffer.from(graphs[run % graphs.length]!);
      for (let k = 0; k <= rng.below(4); k++) bytes[rng.below(bytes.length)] = rng.below(256);
      if (run % 8 === 0) bytes = bytes.subarray(0, rng.below(bytes.length));
      await writeFile(file, bytes);
      try {
        const graph = await readOnnx(file);
        const config = configOf(graph, huggingFaceNames(weightsIn(graph, file)), file);
        parseArchitecture(JSON.stringify(config), file);
      } catch (error) {
        expect(error).toBeInstanceOf(InputError);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(100);
  });

  it("may lack inputs and outputs of every kind of node", () => {
    const kinds = Object.values(forms)
      .flat()
      .map(({ opType }) => opType);
    const others = [
      "Attention",
      "QAttention",
      "MultiHeadAttention",
      "EmbedLayerNormalization",
      "QEmbedLayerNormalization",
    ];
    const bare = [...kinds, ...others, "Gemm", "Constant", "Identity", "Transpose", "BiasGelu"];
    const nodes = bare.flatMap((kind) => [
      node(kind, [], []),
      node(kind, ["x"], []),
      node(kind, [], ["x"]),
      node(kind, ["x", "w"], ["y"]),
    ]);
    const initializer = [int8("w", [2, 6], numbers)];
    expect([...weightsIn({ ...quantisedGraph(nodes, true), initializer }, "m.onnx")]).toEqual([]);
  });
});
