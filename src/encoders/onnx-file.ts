import { readFile } from "node:fs/promises";
import { decodeModel, type OnnxGraph, type OnnxNode, type OnnxTensor } from "../tensor/onnx-schema.ts";
import { InputError, messageOf } from "../util/errors.ts";
import type { NumberArray } from "../util/safetensors.ts";
import { transposed } from "./transformer/weights.ts";

/** The graph of an ONNX file. */
export async function readOnnx(file: string): Promise<OnnxGraph> {
  const bytes = await readFile(file);
  try {
    return decodeModel(bytes);
  } catch (error) {
    throw new InputError(`is not an ONNX model: ${messageOf(error)}`, { file });
  }
}

/** The suffixes by which ONNX Runtime's quantiser names what it makes of a weight. */
const suffixes = { numbers: "_quantized", scale: "_scale", zero: "_zero_point" } as const;

/** What the quantiser and the converter put between a product and the sum with its bias. */
const passedBy = new Set(["Cast", "Mul"]);

/**
 * The weights of a graph as float32, by the names they had before export. Converters keep the names of biases but not
 * always those of the matrices, which they turn round to `[in, out]`: a matrix is found as the operand of the product
 * to which a bias is added, and comes back as `X.weight` beside `X.bias`, in `[out, in]`.
 */
export function weightsIn(graph: OnnxGraph, file: string): Map<string, NumberArray> {
  const stored = new Map(graph.initializer.map((tensor) => [tensor.name, tensor]));
  const weights = new Map<string, NumberArray>();
  for (const tensor of graph.initializer) {
    const data = numbersOf(tensor, stored, file);
    if (data) weights.set(originalName(tensor.name), { data, shape: tensor.dims });
  }
  const readers = readersOf(graph.node);
  for (const { opType, input, output } of graph.node) {
    if (opType !== "MatMul" && opType !== "MatMulInteger") continue;
    const matrix = weights.get(originalName(input[1]!));
    const bias = matrix && biasBehind(output[0]!, readers, stored);
    if (bias) weights.set(bias.replace(/\.bias$/, ".weight"), turned(matrix));
  }
  return weights;
}

function originalName(name: string): string {
  return name.endsWith(suffixes.numbers) ? name.slice(0, -suffixes.numbers.length) : name;
}

function readersOf(nodes: readonly OnnxNode[]): Map<string, OnnxNode[]> {
  const readers = new Map<string, OnnxNode[]>();
  for (const node of nodes) for (const name of node.input) readers.set(name, [...(readers.get(name) ?? []), node]);
  return readers;
}

/** The name of the vector that is added to a product; undefined where none is. */
function biasBehind(
  product: string,
  readers: ReadonlyMap<string, readonly OnnxNode[]>,
  stored: ReadonlyMap<string, OnnxTensor>,
): string | undefined {
  for (let name: string | undefined = product; name !== undefined; ) {
    const [reader, second]: readonly (OnnxNode | undefined)[] = readers.get(name) ?? [];
    if (!reader || second) return undefined;
    if (reader.opType === "Add") return reader.input.find((each) => stored.get(each)?.dims.length === 1);
    name = passedBy.has(reader.opType) ? reader.output[0] : undefined;
  }
  return undefined;
}

/** `[rows, columns]` → `[columns, rows]` */
function turned({ data, shape }: NumberArray): NumberArray {
  const [rows = 0, columns = 0] = shape;
  return { data: transposed(data, rows, columns), shape: [columns, rows] };
}

const dataTypes = { float: 1, uint8: 2, int8: 3 } as const;

/** The numbers of a float tensor, or of a quantised one with its scale; undefined for all others, such as shapes. */
function numbersOf(
  tensor: OnnxTensor,
  stored: ReadonlyMap<string, OnnxTensor>,
  file: string,
): Float32Array | undefined {
  if (tensor.dataType === dataTypes.float) return elementsOf(tensor, file);
  const base = originalName(tensor.name);
  const [scale, zero] = [stored.get(base + suffixes.scale), stored.get(base + suffixes.zero)];
  if (base === tensor.name || !scale || !zero) return undefined;
  return dequantised(elementsOf(tensor, file), elementsOf(scale, file), elementsOf(zero, file), tensor, file);
}

/** (number − zero point) · scale, with one scale for the whole tensor or one for each column. */
function dequantised(
  numbers: Float32Array,
  scale: Float32Array,
  zero: Float32Array,
  { name, dims }: OnnxTensor,
  file: string,
): Float32Array {
  const count = scale.length;
  if (zero.length !== count || (count !== 1 && count !== dims.at(-1))) {
    const got = `${count} scales and ${zero.length} zero points`;
    throw new InputError(`tensor ${name} must have one scale, or one for each column, got ${got}`, { file });
  }
  return numbers.map((number, i) => (number - zero[i % count]!) * scale[i % count]!);
}

/** The elements as they are stored: in raw bytes, or in one of the lists for small tensors. */
function elementsOf({ name, dims, dataType, rawData, floatData, int32Data }: OnnxTensor, file: string): Float32Array {
  const size = dims.reduce((a, b) => a * b, 1);
  const elements =
    rawData.length > 0
      ? fromBytes(rawData, dataType)
      : Float32Array.from((dataType === dataTypes.float ? floatData : int32Data) ?? []);
  if (elements?.length === size) return elements;
  const found = elements === undefined ? `elements of type ${dataType}` : `${elements.length} numbers`;
  throw new InputError(`tensor ${name} must hold ${size} numbers of type float, int8 or uint8, got ${found}`, { file });
}

function fromBytes(bytes: Uint8Array, dataType: number): Float32Array | undefined {
  // A copy begins at a multiple of four, where numbers of four bytes may stand.
  const { buffer } = Uint8Array.from(bytes);
  if (dataType === dataTypes.float) return bytes.length % 4 === 0 ? new Float32Array(buffer) : undefined;
  if (dataType === dataTypes.int8) return Float32Array.from(new Int8Array(buffer));
  return dataType === dataTypes.uint8 ? Float32Array.from(bytes) : undefined;
}
