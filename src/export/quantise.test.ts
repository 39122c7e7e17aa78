import { describe, expect, it } from "vitest";
import { encodeModel, type OnnxGraph, onnxRuntime } from "../tensor/index.ts";
import { random } from "../util/random.ts";
import { floats, node, value } from "./onnx-types.ts";
import { quantised } from "./quantise.ts";

const rng = random(1, "quantise");
const numbers = (count: number): Float32Array => Float32Array.from({ length: count }, () => 2 * rng.next() - 1);
const [rows, inner, columns] = [5, 64, 96];
const weight = numbers(inner * columns);
const other = numbers(inner * columns);

async function run(graph: OnnxGraph, feeds: Record<string, Float32Array | Int32Array>): Promise<Float32Array> {
  const { InferenceSession, Tensor } = onnxRuntime();
  const session = await InferenceSession.create(encodeModel(graph), { logSeverityLevel: 3 });
  const tensors = Object.entries(feeds).map(([name, data]) => {
    const isFloat = data instanceof Float32Array;
    const dims = isFloat ? [rows, inner] : [data.length];
    return [name, new Tensor(isFloat ? "float32" : "int32", data as Float32Array, dims)] as const;
  });
  const { y } = await session.run(Object.fromEntries(tensors));
  await session.release();
  return y!.data as Float32Array;
}

/** The largest error as a share of the largest number. */
function error(found: Float32Array, expected: (i: number) => number): number {
  let [most, wrong] = [0, 0];
  found.forEach((each, i) => {
    most = Math.max(most, Math.abs(expected(i)));
    wrong = Math.max(wrong, Math.abs(each - expected(i)));
  });
  return wrong / most;
}

const product = (x: Float32Array, w: (k: number) => number) => (i: number) => {
  let sum = 0;
  for (let k = 0; k < inner; k++) sum += x[Math.floor(i / columns) * inner + k]! * w(k * columns + (i % columns));
  return sum;
};

describe("a graph in bytes", () => {
  const x = numbers(rows * inner);
  const graph = (nodes: OnnxGraph["node"], initializer: OnnxGraph["initializer"]): OnnxGraph => ({
    name: "test",
    node: nodes,
    initializer,
    input: [value("x", "float32", [rows, inner])],
    output: [value("y", "float32", [rows, columns])],
  });

  it("multiplies as floats do, but for rounding", async () => {
    const small = quantised(graph([node("MatMul", ["x", "w"], ["y"])], [floats("w", weight, [inner, columns])]));
    expect(small.node.map(({ opType }) => opType)).toEqual([
      "DynamicQuantizeLinear",
      "MatMulInteger",
      "Cast",
      "Mul",
      "Mul",
    ]);
    expect(small.initializer.map(({ name }) => name)).toEqual(["w.int8", "w.scale"]);
    const found = await run(small, { x });
    expect(
      error(
        found,
        product(x, (at) => weight[at]!),
      ),
    ).toBeLessThan(0.02);
  });

  it("uses seven bits, so that two products fit into sixteen, and the scale of each column is its own", () => {
    const mixed = weight.map((each, i) => (i % columns === 3 ? each / 1000 : each));
    const small = quantised(graph([node("MatMul", ["x", "w"], ["y"])], [floats("w", mixed, [inner, columns])]));
    const bytes = new Int8Array(small.initializer[0]!.rawData.slice().buffer);
    expect(Math.max(...bytes.map(Math.abs))).toBe(63);
    expect(2 * 255 * 63).toBeLessThan(2 ** 15);
    const third = bytes.filter((_, i) => i % columns === 3);
    expect(Math.max(...third.map(Math.abs))).toBe(63);
  });

  it("takes a sum of weights for one weight", async () => {
    const both = [floats("a", weight, [inner, columns]), floats("b", other, [inner, columns])];
    const small = quantised(graph([node("Sub", ["a", "b"], ["w"]), node("MatMul", ["x", "w"], ["y"])], both));
    expect(small.initializer.map(({ name }) => name)).toEqual(["w.int8", "w.scale"]);
    const found = await run(small, { x });
    expect(
      error(
        found,
        product(x, (at) => weight[at]! - other[at]!),
      ),
    ).toBeLessThan(0.02);
  });

  it("reads rows of a table as they were, but for rounding", async () => {
    const table: OnnxGraph = {
      ...graph([node("Gather", ["table", "ids"], ["y"], { axis: 0 })], [floats("table", weight, [inner, columns])]),
      input: [value("ids", "int32", [3])],
      output: [value("y", "float32", [3, columns])],
    };
    const ids = Int32Array.of(7, 0, 63);
    const found = await run(quantised(table), { ids });
    expect(error(found, (i) => weight[ids[Math.floor(i / columns)]! * columns + (i % columns)]!)).toBeLessThan(0.005);
  });

  it("leaves small weights and what else reads a weight as it is", () => {
    const few = quantised(graph([node("MatMul", ["x", "w"], ["y"])], [floats("w", numbers(640), [64, 10])]));
    expect(few.node.map(({ opType }) => opType)).toEqual(["MatMul"]);
    const twice = graph(
      [node("MatMul", ["x", "w"], ["z"]), node("Neg", ["w"], ["n"]), node("MatMul", ["x", "n"], ["y"])],
      [floats("w", weight, [inner, columns])],
    );
    expect(quantised(twice).initializer.map(({ name }) => name)).toEqual(["w", "w.int8", "w.scale"]);
  });
});
