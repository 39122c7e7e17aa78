import { mix32 } from "../../util/random.ts";
import type { Shape } from "../dims.ts";
import { apply1, fail } from "../graph.ts";
import type { Lowering, Op, Tensor } from "../types.ts";
import { elements, value } from "../value.ts";

const golden = 0x9e3779b9;

/**
 * Numbers in (0, 1) as a pure function of keys: an array of the shape for each int32 key. A key belongs to a sentence, not
 * to a place in the batch, and each coordinate is mixed in by itself, so what is drawn at a place depends neither on
 * batching nor on padding nor on threads.
 */
export const uniformOp: Op<{ readonly shape: Shape; readonly salt: number }> = {
  name: "uniform",
  type: ([keys], { shape }) => {
    if (keys!.dtype !== "int32" || keys!.shape.length !== 1)
      fail("uniform", "needs one int32 key for each line", keys!);
    return [{ dtype: "float32", shape: [keys!.shape[0]!, ...shape] }];
  },
  gradient: "none",
  reference: ([keys], { salt }, [out]) => {
    const [lineStride, ...steps] = [...out!.shape.keys()].map((axis) => elements(out!.shape.slice(axis + 1)));
    return [
      value(out!.shape, (index) => {
        let bits = mix32(keys!.data[Math.floor(index / lineStride!)]! ^ salt);
        steps.forEach((stride, axis) => {
          bits = mix32(bits + Math.imul(Math.floor(index / stride) % out!.shape[axis + 1]!, golden));
        });
        return ((bits >>> 8) + 0.5) * 2 ** -24;
      }),
    ];
  },
  lower: (to, [keys], { shape, salt }) => {
    const uint = (number: number): string => to.constant("uint32", [], [number >>> 0]);
    const int = (number: number): string => to.constant("int64", [], [number]);
    const salted = to.node("BitwiseXor", [to.cast(keys!, "uint32"), uint(salt)]);
    const bits = shape.reduce<string>(
      (mixed, dim) => {
        const size = to.node("Reshape", [to.shape([dim]), to.constant("int64", [0], [])]);
        const places = to.cast(to.node("Range", [int(0), size, int(1)]), "uint32");
        const lines = to.node("Unsqueeze", [mixed, to.constant("int64", [1], [-1])]);
        return lowerMix32(to, to.node("Add", [lines, to.node("Mul", [places, uint(golden)])]), uint);
      },
      lowerMix32(to, salted, uint),
    );
    const high = to.cast(to.node("BitShift", [bits, uint(8)], { direction: "RIGHT" }), "float32");
    const half = to.constant("float32", [], [0.5]);
    return [to.node("Mul", [to.node("Add", [high, half]), to.constant("float32", [], [2 ** -24])])];
  },
};

/** Uniform numbers of shape `[keys, ...shape]`. Different salts give independent numbers for the same keys. */
export function uniform(keys: Tensor, shape: Shape, salt: number): Tensor {
  return apply1(uniformOp, [keys], { shape, salt });
}

/** `mix32` of src/util/random.ts in unsigned ONNX arithmetic, which wraps as it must. */
function lowerMix32(to: Lowering, x: string, uint: (number: number) => string): string {
  const fold = (bits: string, by: number): string =>
    to.node("BitwiseXor", [bits, to.node("BitShift", [bits, uint(by)], { direction: "RIGHT" })]);
  const first = to.node("Mul", [fold(x, 16), uint(0x85ebca6b)]);
  return fold(to.node("Mul", [fold(first, 13), uint(0xc2b2ae35)]), 16);
}
