import type { OnnxGraph, OnnxNode, OnnxTensor } from "../tensor/index.ts";
import { bytesOf, cast, floats, node, onnxTypes } from "./onnx-types.ts";

/** Smaller weights are not worth the work of quantising what meets them. */
const leastNumbers = 4096;

/**
 * Weights of products use seven of their eight bits: processors without instructions for whole products of bytes add two
 * of them in 16 bits, which would overflow, and results would depend on the machine.
 */
const productLimit = 63;
const tableLimit = 127;

/**
 * A graph whose products with weights run on bytes. Weights become int8 with a scale for each column, what they are
 * multiplied with is quantised as it comes (`DynamicQuantizeLinear`), and tables become int8 with a scale for each row.
 */
export function quantised(whole: OnnxGraph): OnnxGraph {
  const graph = withSums(whole);
  const weights = new Map(graph.initializer.map((tensor) => [tensor.name, tensor]));
  const replaced = new Map<string, OnnxTensor[]>();
  const seen = new Set<string>();
  const isLarge = (name: string | undefined): name is string => {
    const tensor = weights.get(name ?? "");
    return tensor?.dataType === onnxTypes.float32 && tensor.dims.length === 2 && sizeOf(tensor) >= leastNumbers;
  };
  const nodes = graph.node.flatMap((each): OnnxNode[] => {
    const [a, b] = each.input;
    if (each.opType === "Gather" && isLarge(a)) {
      replaced.set(a, quantisedRows(weights.get(a)!));
      return tableNodes(each);
    }
    if (each.opType !== "MatMul" || !isLarge(b)) return [each];
    replaced.set(b, quantisedColumns(weights.get(b)!));
    const first = !seen.has(a!);
    seen.add(a!);
    return productNodes(each, first);
  });
  // A weight that something else reads as well stays beside its bytes.
  const read = new Set(everyInput(nodes));
  const kept = graph.initializer.filter(({ name }) => !replaced.has(name) || read.has(name));
  return { ...graph, node: nodes, initializer: [...kept, ...[...replaced.values()].flat()] };
}

/** The names that nodes and the graphs inside of them read. */
function everyInput(nodes: readonly OnnxNode[]): string[] {
  return nodes.flatMap(({ input, attribute }) => [
    ...input,
    ...attribute.flatMap(({ g }) => (g ? everyInput(g.node) : [])),
  ]);
}

/** x·W as bytes: x − zero is x / scale, and the product of integers times both scales is the product of floats. */
function productNodes({ input: [a, b], output: [y] }: OnnxNode, first: boolean): OnnxNode[] {
  const [bytes, scale, zero] = [`${a}.bytes`, `${a}.scale`, `${a}.zero`];
  return [
    ...(first ? [node("DynamicQuantizeLinear", [a!], [bytes, scale, zero])] : []),
    node("MatMulInteger", [bytes, `${b}.int8`, zero], [`${y}.sums`]),
    cast(`${y}.sums`, `${y}.unscaled`, "float32"),
    node("Mul", [scale, `${b}.scale`], [`${y}.scale`]),
    node("Mul", [`${y}.unscaled`, `${y}.scale`], [y!]),
  ];
}

/** Rows of a table of bytes, each times its scale. */
function tableNodes({ input: [table, ids], output: [y] }: OnnxNode): OnnxNode[] {
  return [
    node("Gather", [`${table}.int8`, ids!], [`${y}.bytes`], { axis: 0 }),
    cast(`${y}.bytes`, `${y}.unscaled`, "float32"),
    node("Gather", [`${table}.scale`, ids!], [`${y}.scale`], { axis: 0 }),
    node("Mul", [`${y}.unscaled`, `${y}.scale`], [y!]),
  ];
}

function quantisedColumns(weight: OnnxTensor): OnnxTensor[] {
  const [rows, columns] = weight.dims as [number, number];
  const numbers = numbersOf(weight);
  const scales = new Float32Array(columns);
  for (let i = 0; i < numbers.length; i++) scales[i % columns] = Math.max(scales[i % columns]!, Math.abs(numbers[i]!));
  const bytes = scaled(numbers, scales, productLimit, (i) => i % columns);
  return [int8(weight.name, bytes, [rows, columns]), floats(`${weight.name}.scale`, scales, [columns])];
}

function quantisedRows(table: OnnxTensor): OnnxTensor[] {
  const [rows, columns] = table.dims as [number, number];
  const numbers = numbersOf(table);
  const scales = new Float32Array(rows);
  numbers.forEach((value, i) => {
    const row = Math.floor(i / columns);
    scales[row] = Math.max(scales[row]!, Math.abs(value));
  });
  const bytes = scaled(numbers, scales, tableLimit, (i) => Math.floor(i / columns));
  return [int8(table.name, bytes, [rows, columns]), floats(`${table.name}.scale`, scales, [rows, 1])];
}

/** Numbers as multiples of a scale, which is the largest of them over the limit; the scales are changed in place. */
function scaled(numbers: Float32Array, largest: Float32Array, limit: number, of: (i: number) => number): Int8Array {
  largest.forEach((value, i) => {
    largest[i] = value === 0 ? 1 : value / limit;
  });
  return Int8Array.from(numbers, (value, i) => Math.round(value / largest[of(i)]!));
}

function int8(name: string, bytes: Int8Array, dims: readonly number[]): OnnxTensor {
  return { name: `${name}.int8`, dims, dataType: onnxTypes.int8, rawData: bytesOf(bytes) };
}

/** Sums and differences of weights are weights: the graph of training keeps such apart. */
function withSums(graph: OnnxGraph): OnnxGraph {
  const weights = new Map(graph.initializer.map((tensor) => [tensor.name, tensor]));
  const nodes = graph.node.filter(({ opType, input: [a, b], output: [y] }) => {
    const [left, right] = [weights.get(a!), weights.get(b ?? "")];
    const isSum = (opType === "Add" || opType === "Sub") && isMatrix(left) && isMatrix(right);
    if (!isSum || left.dims.join() !== right.dims.join()) return true;
    const [x, z] = [numbersOf(left), numbersOf(right)];
    const sign = opType === "Add" ? 1 : -1;
    weights.set(
      y!,
      floats(
        y!,
        x.map((value, i) => value + sign * z[i]!),
        left.dims,
      ),
    );
    return false;
  });
  const read = new Set(everyInput(nodes));
  return { ...graph, node: nodes, initializer: [...weights.values()].filter(({ name }) => read.has(name)) };
}

function isMatrix(tensor: OnnxTensor | undefined): tensor is OnnxTensor {
  return tensor?.dataType === onnxTypes.float32 && tensor.dims.length === 2;
}

function sizeOf({ dims }: OnnxTensor): number {
  return dims.reduce((product, size) => product * size, 1);
}

function numbersOf({ rawData }: OnnxTensor): Float32Array {
  return new Float32Array(rawData.buffer, rawData.byteOffset, rawData.byteLength / 4);
}
