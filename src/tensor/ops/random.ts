import { mix32 } from "../../util/random.ts";
import { type Shape, sizeOf } from "../dims.ts";
import { apply1, fail } from "../graph.ts";
import type { Lowering, Op, Tensor } from "../types.ts";
import { value } from "../value.ts";
import { reshape } from "./shape.ts";

const golden = 0x9e3779b9;

/**
 * Numbers in (0, 1) as a pure function of keys: one line of `width` numbers for each int32 key. A key belongs to a
 * sentence, not to a place in the batch, so what is drawn depends neither on batching nor on padding nor on threads.
 */
export const uniformOp: Op<{ readonly shape: Shape; readonly salt: number }> = {
  name: "uniform",
  type: ([keys], { shape }) => {
    if (keys!.dtype !== "int32" || keys!.shape.length !== 1)
      fail("uniform", "needs one int32 key for each line", keys!);
    return [{ dtype: "float32", shape: [keys!.shape[0]!, sizeOf(shape)] }];
  },
  gradient: "none",
  reference: ([keys], { salt }, [out]) => {
    const width = out!.shape[1]!;
    return [
      value(out!.shape, (index) => {
        const line = mix32(keys!.data[Math.floor(index / width)]! ^ salt);
        return ((mix32(line + Math.imul(index % width, golden)) >>> 8) + 0.5) * 2 ** -24;
      }),
    ];
  },
  lower: (to, [keys], { shape, salt }) => {
    const uint = (number: number): string => to.constant("uint32", [], [number >>> 0]);
    const zero = to.constant("int64", [], [0]);
    const width = to.node("Reshape", [to.shape([sizeOf(shape)]), to.constant("int64", [0], [])]);
    const places = to.node("Range", [zero, width, to.constant("int64", [], [1])]);
    const steps = to.node("Mul", [to.cast(places, "uint32"), uint(golden)]);
    const salted = to.node("BitwiseXor", [to.cast(keys!, "uint32"), uint(salt)]);
    const lines = to.node("Unsqueeze", [lowerMix32(to, salted, uint), to.constant("int64", [1], [1])]);
    const bits = lowerMix32(to, to.node("Add", [lines, steps]), uint);
    const high = to.cast(to.node("BitShift", [bits, uint(8)], { direction: "RIGHT" }), "float32");
    const half = to.constant("float32", [], [0.5]);
    return [to.node("Mul", [to.node("Add", [high, half]), to.constant("float32", [], [2 ** -24])])];
  },
};

/** Uniform numbers of shape `[keys, ...shape]`. Different salts give independent numbers for the same keys. */
export function uniform(keys: Tensor, shape: Shape, salt: number): Tensor {
  return reshape(apply1(uniformOp, [keys], { shape, salt }), [keys.shape[0]!, ...shape]);
}

/** `mix32` of src/util/random.ts in unsigned ONNX arithmetic, which wraps as it must. */
function lowerMix32(to: Lowering, x: string, uint: (number: number) => string): string {
  const fold = (bits: string, by: number): string =>
    to.node("BitwiseXor", [bits, to.node("BitShift", [bits, uint(by)], { direction: "RIGHT" })]);
  const first = to.node("Mul", [fold(x, 16), uint(0x85ebca6b)]);
  return fold(to.node("Mul", [fold(first, 13), uint(0xc2b2ae35)]), 16);
}
