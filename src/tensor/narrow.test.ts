import { describe, expect, it } from "vitest";
import { countOf, writtenGraph } from "../../test/support/onnx-nodes.ts";
import * as t from "./index.ts";
import { narrow } from "./narrow.ts";

const rows = t.input("rows", "float32", ["batch", 2, 3]);
const weight = t.input("weight", "float32", [7, 3]);
const factors = t.input("factors", "float32", ["batch", 1, 7]);
const marks = t.input("marks", "float32", ["batch", 2, 1]);
const numbers = (size: number, seed: number): number[] =>
  Array.from({ length: size }, (_, i) => Math.sin(seed + i * i));
const feeds = {
  rows: t.value([2, 2, 3], numbers(12, 1)),
  weight: t.value([7, 3], numbers(21, 2)),
  factors: t.value([2, 1, 7], numbers(14, 3)),
  marks: t.value([2, 2, 1], [1, 0, 1, 1]),
};
const fed = Object.fromEntries(
  Object.entries(feeds).map(([name, { shape, data }]) => [name, { shape, data: Float32Array.from(data) }]),
);
const valuesOf = (tensors: readonly t.Tensor[]): number[][] =>
  t.runReference(tensors, feeds).map(({ data }) => [...data]);

/** What stands for each output, and the width of the product that it is made from. */
function narrowed(...outputs: t.Tensor[]): { instead: t.Tensor[]; widths: unknown[] } {
  const map = narrow(outputs);
  const instead = outputs.map((output) => map.get(output) ?? output);
  const widthOf = (tensor: t.Tensor): unknown =>
    tensor.node.op.name === "matmul" ? tensor.shape.at(-1) : tensor.node.inputs.map(widthOf).find((w) => w !== null);
  return { instead, widths: instead.map((each) => (each.node.inputs.length > 0 ? widthOf(each) : null)) };
}

describe("a product of which slices are used", () => {
  const product = t.matmul(rows, weight, { transB: true });

  it("is computed as wide as they are, with the same numbers", () => {
    const slices = [t.slice(product, 2, 4, 6), t.slice(product, 2, 5, 7)];
    const { instead, widths } = narrowed(...slices);
    expect(widths).toEqual([3, 3]); // [4, 7) serves both
    expect(valuesOf(instead)).toEqual(valuesOf(slices));
  });

  it("leaves out what lies between them", () => {
    const slices = [t.slice(product, 2, 0, 1), t.slice(product, 2, 5, 7)];
    const { instead, widths } = narrowed(...slices);
    expect(widths).toEqual([1, 2]);
    expect(valuesOf(instead)).toEqual(valuesOf(slices));
  });

  it("is found behind factors, sums and another shape", () => {
    const scaled = t.mul(t.mul(product, factors), marks);
    const flat = t.add(t.flatten(scaled), t.flatten(t.mul(scaled, 2)));
    const slices = [t.slice(flat, 1, 1, 3)];
    const { instead, widths } = narrowed(...slices);
    expect(widths).toEqual([2]);
    expect(valuesOf(instead)).toEqual(valuesOf(slices));
  });

  it("is computed for fewer rows where rows are cut", () => {
    const slices = [t.slice(t.matmul(weight, weight, { transB: true }), 0, 2, 4)];
    const { instead } = narrowed(...slices);
    expect(instead[0]!.node.op.name).toBe("matmul");
    expect(valuesOf(instead)).toEqual(valuesOf(slices));
  });

  it("stays whole where all of it is used, or some of it along another axis", () => {
    const last = t.slice(product, 2, 4, 7);
    for (const other of [product, t.slice(product, 2, 0, 4), t.slice(product, 1, 0, 1), t.exp(product)])
      expect(narrow([last, other]).size).toBe(0);
  });
});

describe("the gradient of parts side by side", () => {
  const learned = t.tanh(t.input("learned", "float32", ["batch", 2]));
  const fixed = t.input("fixed", "float32", ["batch", 5]);
  const projection = t.input("projection", "float32", [7, 4]);
  const gate = t.input("gate", "float32", ["batch", 7]);
  const loss = t.sum(t.pow(t.matmul(t.mul(t.concat([learned, fixed], 1), gate), projection), 2));
  const grads = t.gradients(loss, [learned.node.inputs[0]!, projection]);
  const data = {
    learned: t.value([3, 2], numbers(6, 4)),
    fixed: t.value([3, 5], numbers(15, 5)),
    projection: t.value([7, 4], numbers(28, 6)),
    gate: t.value([3, 7], numbers(21, 7)),
  };

  it("is that of the whole, in the runtime", async () => {
    const program = await t.Program.compile({ learned_: grads[0]!, projection_: grads[1]! });
    const inputs = Object.entries(data).map(([name, { shape, data: values }]) => [
      name,
      { shape, data: Float32Array.from(values) },
    ]);
    const results = await program.run(Object.fromEntries(inputs));
    await program.dispose();
    t.runReference(grads, data).forEach((expected, i) => {
      const found = Object.values(results)[i]!.data;
      expected.data.forEach((value, k) => {
        expect(found[k]).toBeCloseTo(value, 5);
      });
    });
  });

  it("has a slice of the weights, not of the product", () => {
    const { nodes } = writtenGraph(t.toOnnx({ y: grads[0]! }).bytes);
    const cut = nodes.filter(({ opType }) => opType === "Slice").map(({ input }) => input[0]);
    expect(cut.sort()).toEqual(["gate", "projection"]);
    expect(countOf(nodes, "Gemm")).toBe(1);
  });
});

describe("a loop that uses a slice of a product", () => {
  it("is given the narrow one", async () => {
    const product = t.matmul(rows, weight, { transB: true }); // [batch, 2, 7]
    const part = t.slice(product, 2, 3, 5);
    const { carries } = t.scan([t.slice(product, 2, 5, 7)], [t.input("steps", "float32", ["time", 1])], ([sum]) => ({
      carries: [t.add(sum!, t.exp(part))],
    }));
    const steps = { shape: [3, 1], data: new Float32Array(3) };
    const program = await t.Program.compile({ sum: carries[0]! });
    const { sum } = await program.run({ ...fed, steps });
    await program.dispose();
    const [start, once] = valuesOf([t.slice(product, 2, 5, 7), t.exp(part)]);
    start!.forEach((value, i) => {
      expect(sum!.data[i]).toBeCloseTo(value + 3 * once![i]!, 5);
    });
  });
});
