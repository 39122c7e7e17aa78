import { describe, expect, it } from "vitest";
import { countOf, type WrittenNode, writtenGraph } from "../../test/support/onnx-nodes.ts";
import * as t from "./index.ts";

const x = t.input("x", "float32", ["batch", "time", 4]);
const graph = (outputs: Record<string, t.Tensor>, options: t.OnnxOptions = {}) =>
  writtenGraph(t.toOnnx(outputs, options).bytes);

describe("an ONNX file", () => {
  it("names its inputs in the order in which the outputs need them, and no others", () => {
    const [used, unused] = [t.input("used", "int32", ["batch"]), t.input("unused", "float32", [2])];
    t.add(unused, 1);
    const { inputs } = t.toOnnx({ y: t.sum(x), ids: used });
    expect(inputs).toEqual([
      { name: "x", dtype: "float32", shape: ["batch", "time", 4] },
      { name: "used", dtype: "int32", shape: ["batch"] },
    ]);
  });

  it("has common subexpressions and equal constants once", () => {
    const { nodes, constants } = graph({ y: t.add(t.mul(t.exp(x), 3), t.mul(t.exp(x), 3)), z: t.mul(t.exp(x), 3) });
    expect(nodes.map(({ opType }) => opType)).toEqual(["Exp", "Mul", "Add", "Identity", "Identity"]);
    expect(constants).toBe(1);
  });

  it("has nothing that no output needs", () => {
    const [left] = t.split(t.mul(t.exp(x), t.tanh(x)), -1, [1, 3]);
    t.log(t.relu(left!));
    expect(graph({ y: t.exp(x) }).nodes.map(({ opType }) => opType)).toEqual(["Exp", "Identity"]);
  });

  it("finds names of its own whatever inputs and outputs are called", async () => {
    const taken = t.input("t0", "float32", [2]);
    const program = await t.Program.compile({ t1: t.exp(t.neg(t.mul(taken, 3))) });
    const { t1 } = await program.run({ t0: { shape: [2], data: Float32Array.of(0, 1) } });
    await program.dispose();
    expect(t1!.data[0]).toBe(1);
    expect(t1!.data[1]).toBeCloseTo(Math.exp(-3), 6);
  });

  it("refuses two inputs of one name, an output with the name of an input, and dimensions that no input has", () => {
    const twin = t.input("x", "float32", [1]);
    expect(() => t.toOnnx({ y: t.add(t.sum(x), t.sum(twin)) })).toThrow('graph: two inputs are called "x"');
    expect(() => t.toOnnx({ x })).toThrow('graph: an input and an output are called "x"');
    const rows = t.expand(t.sum(x), ["words", 2]);
    expect(() => t.toOnnx({ y: rows })).toThrow('graph: dimension "words" is not a dimension of any input (x)');
  });

  it("that is portable has standard ops only", () => {
    const heads = t.matmul(x, x, { transB: true });
    const domains = (portable: boolean): string[] => [
      ...new Set(graph({ y: heads }, { portable }).nodes.map(({ domain }) => domain ?? "")),
    ];
    expect(domains(false)).toContain("com.microsoft");
    expect(domains(true)).toEqual([""]);
  });
});

describe("a scan in an ONNX file", () => {
  const steps = t.input("steps", "float32", ["time", 4]);
  const weight = t.input("weight", "float32", [4, 4]);
  const squash = t.tanh(weight);
  const result = t.scan([t.zeros({ shape: [1, 4] })], [steps], ([state], [step]) => {
    const next = t.add(t.matmul(state!, squash), step!);
    return { carries: [next], stacked: [next, t.exp(next)] };
  });

  it("computes what does not change outside of its body", () => {
    const { nodes } = graph({ y: result.carries[0]! });
    expect(countOf(nodes, "Tanh")).toBe(1);
    const body = nodes.find(({ opType }) => opType === "Scan")!.body;
    expect(countOf(body, "Tanh")).toBe(0);
    expect(countOf(body, "MatMul")).toBe(1);
  });

  it("stacks only the values that are needed", () => {
    const scan = (output: t.Tensor) => graph({ y: output }).nodes.find(({ opType }) => opType === "Scan")!;
    expect(scan(result.carries[0]!).output.length).toBe(1);
    expect(countOf(scan(result.carries[0]!).body, "Exp")).toBe(0);
    expect(scan(result.stacked[1]!).output.length).toBe(2);
    expect(countOf(scan(result.stacked[1]!).body, "Exp")).toBe(1);
  });

  it("takes weights' gradients out of the loop: one product after it", () => {
    const [grad] = t.gradients(t.sum(t.pow(result.carries[0]!, 2)), [weight]);
    const { nodes } = graph({ y: grad! });
    const loops = nodes.filter(({ opType }) => opType === "Scan");
    expect(loops.length).toBe(2);
    const products = (list: readonly WrittenNode[]): number =>
      countOf(list, "MatMul") + countOf(list, "Gemm") + countOf(list, "FusedMatMul");
    expect(products(nodes)).toBe(1);
    expect(loops.map(({ body }) => products(body))).toEqual([1, 1]);
  });
});
