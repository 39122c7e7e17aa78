import { describe, expect, it } from "vitest";
import { countOf, writtenGraph } from "../../test/support/onnx-nodes.ts";
import * as t from "./index.ts";

const x = t.input("x", "float32", [3]);
const y = t.input("y", "float32", [3]);
const feeds = { x: t.value([3], [1, -2, 3]), y: t.value([3], [4, 5, 6]) };
const written = (...outputs: t.Tensor[]) =>
  writtenGraph(t.toOnnx(Object.fromEntries(outputs.map((output, i) => [`y${i}`, output]))).bytes).nodes;
const run = (...outputs: t.Tensor[]): number[][] => t.runReference(outputs, feeds).map(({ data }) => [...data]);

describe("gradients", () => {
  it("add up over all ways by which a tensor reaches the loss", () => {
    const square = t.mul(x, x);
    const [grad] = t.gradients(t.sum(t.add(t.mul(square, y), square)), [x]); // Σ x²y + x² → 2x(y + 1)
    expect(run(grad!)).toEqual([[10, -24, 42]]);
  });

  it("visit a shared expression once: a chain of doublings stays a chain", () => {
    let doubled = x;
    for (let i = 0; i < 40; i++) doubled = t.add(doubled, doubled);
    const [grad] = t.gradients(t.sum(doubled), [x]);
    expect(run(grad!)).toEqual([[2 ** 40, 2 ** 40, 2 ** 40]]);
    expect(written(grad!).length).toBeLessThan(200);
  });

  it("are 0 where a tensor does not influence the loss, and where the flow is stopped", () => {
    const loss = t.sum(t.mul(x, t.stopGradient(t.exp(x))));
    const [dx, dy] = t.gradients(loss, [x, y]);
    expect(run(dx!, dy!)).toEqual([[1, -2, 3].map(Math.exp), [0, 0, 0]]);
  });

  it("may be asked for in the middle of a graph", () => {
    const middle = t.mul(x, 3);
    const [grad] = t.gradients(t.sum(t.mul(middle, middle)), [middle]);
    expect(run(grad!)).toEqual([[6, -12, 18]]);
  });

  it("of a tensor that is the loss itself are 1", () => {
    const loss = t.sum(x);
    expect(run(...t.gradients(loss, [loss]))).toEqual([[1]]);
  });

  it("can be differentiated again", () => {
    const [first] = t.gradients(t.sum(t.pow(x, 3)), [x]);
    const [second] = t.gradients(t.sum(first!), [x]);
    expect(run(second!)).toEqual([[6, -12, 18]]);
  });

  it("do not pass through whole numbers", () => {
    const ids = t.cast(x, "int32");
    const [grad] = t.gradients(t.sum(t.cast(ids, "float32")), [x]);
    expect(run(grad!)).toEqual([[0, 0, 0]]);
  });

  it("come from graphs that are deeper than the stack", () => {
    let deep = x;
    for (let i = 0; i < 12_000; i++) deep = t.mul(deep, 1);
    const [grad] = t.gradients(t.sum(deep), [x]);
    expect(run(grad!)).toEqual([[1, 1, 1]]);
  });
});

describe("a graph of gradients", () => {
  const a = t.input("a", "float32", ["batch", 4]);
  const weight = t.input("weight", "float32", [4, 5]);
  const loss = t.sum(t.pow(t.matmul(a, weight), 2));

  it("holds only what its outputs need", () => {
    const products = (...wrt: t.Tensor[]): number => {
      const nodes = written(...t.gradients(loss, wrt));
      return countOf(nodes, "MatMul") + countOf(nodes, "Gemm");
    };
    expect(products(weight)).toBe(2); // forward, and aᵀ·d
    expect(products(a, weight)).toBe(3);
    expect(countOf(written(loss), "MatMul")).toBe(1);
    expect(countOf(written(...t.gradients(loss, [weight])), "ReduceSum")).toBe(0); // the loss itself is not asked for
  });

  it("shares the forward pass with the loss", () => {
    const nodes = written(loss, ...t.gradients(loss, [a, weight]));
    expect(countOf(nodes, "MatMul")).toBe(1);
    const outputs = nodes.flatMap(({ output }) => output);
    expect(new Set(outputs).size).toBe(outputs.length);
  });
});
