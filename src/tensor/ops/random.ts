import { mix32 } from "../../util/random.ts";
import type { Shape } from "../dims.ts";
import { apply1, fail } from "../graph.ts";
import type { Lowering, Op, Tensor } from "../types.ts";
import { elements, value } from "../value.ts";
import { less } from "./arithmetic.ts";

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
  reference: ([keys], { salt }, [out]) => [
    value(out!.shape, (index) => ((bitsAt(keys!.data, salt, out!.shape, index) >>> 8) + 0.5) * 2 ** -24),
  ],
  lower: (to, [keys], { shape, salt }) => {
    const high = to.cast(shiftRight(to, lowerBits(to, keys!, shape, salt), 8), "float32");
    const half = to.constant("float32", [], [0.5]);
    return [to.node("Mul", [to.node("Add", [high, half]), to.constant("float32", [], [2 ** -24])])];
  },
};

/** Uniform numbers of shape `[keys, ...shape]`. Different salts give independent numbers for the same keys. */
export function uniform(keys: Tensor, shape: Shape, salt: number): Tensor {
  return apply1(uniformOp, [keys], { shape, salt });
}

export interface CoinAttrs {
  readonly shape: Shape;
  /** The axis of the shape, of an even size, whose second half takes the high bits of its first half. */
  readonly axis: number;
  /** Of 65,536. */
  readonly threshold: number;
  readonly salt: number;
}

/** True with a probability, two for each 32 random bits: half the work of comparing uniform numbers. */
export const coinsOp: Op<CoinAttrs> = {
  name: "coins",
  type: ([keys], { shape }) => {
    if (keys!.dtype !== "int32" || keys!.shape.length !== 1) fail("coins", "needs one int32 key for each line", keys!);
    return [{ dtype: "bool", shape: [keys!.shape[0]!, ...shape] }];
  },
  gradient: "none",
  reference: ([keys], { axis, threshold, salt }, [out]) => {
    const lanes = out!.shape.with(axis + 1, out!.shape[axis + 1]! / 2);
    const inner = elements(lanes.slice(axis + 1));
    return [
      value(out!.shape, (index) => {
        const [block, within] = [Math.floor(index / (2 * inner)), index % (2 * inner)];
        const bits = bitsAt(keys!.data, salt, lanes, block * inner + (within % inner));
        return (within < inner ? bits & 0xffff : bits >>> 16) < threshold ? 1 : 0;
      }),
    ];
  },
  lower: (to, [keys], { shape, axis, threshold, salt }) => {
    const bits = lowerBits(to, keys!, shape.with(axis, (shape[axis] as number) / 2), salt);
    const halves = [to.node("BitwiseAnd", [bits, uint(to, 0xffff)]), shiftRight(to, bits, 16)];
    const coins = halves.map((half) => to.node("Less", [half, uint(to, threshold)]));
    return [to.node("Concat", coins, { axis: axis + 1 })];
  },
};

/** True with a probability, to the nearest of 65,536 steps: bool `[keys, ...shape]`. */
export function coins(keys: Tensor, shape: Shape, probability: number, salt: number): Tensor {
  const axis = shape.findLastIndex((dim) => typeof dim === "number" && dim % 2 === 0);
  if (axis < 0) return less(uniform(keys, shape, salt), probability);
  return apply1(coinsOp, [keys], { shape, axis, threshold: Math.round(probability * 0x10000), salt });
}

/** The random bits at a place of an array whose first axis goes by keys; every coordinate is mixed in by itself. */
function bitsAt(keys: Float64Array, salt: number, shape: readonly number[], index: number): number {
  const strides = shape.map((_, axis) => elements(shape.slice(axis + 1)));
  let bits = mix32(keys[Math.floor(index / strides[0]!)]! ^ salt);
  for (let axis = 1; axis < shape.length; axis++) {
    bits = mix32(bits + Math.imul(Math.floor(index / strides[axis]!) % shape[axis]!, golden));
  }
  return bits >>> 0;
}

/** The same for all places: uint32 `[keys, ...shape]`. */
function lowerBits(to: Lowering, keys: string, shape: Shape, salt: number): string {
  const int = (number: number): string => to.constant("int64", [], [number]);
  const salted = to.node("BitwiseXor", [to.cast(keys, "uint32"), uint(to, salt)]);
  return shape.reduce<string>(
    (mixed, dim) => {
      const size = to.node("Reshape", [to.shape([dim]), to.constant("int64", [0], [])]);
      const places = to.cast(to.node("Range", [int(0), size, int(1)]), "uint32");
      const lines = to.node("Unsqueeze", [mixed, to.constant("int64", [1], [-1])]);
      return lowerMix32(to, to.node("Add", [lines, to.node("Mul", [places, uint(to, golden)])]));
    },
    lowerMix32(to, salted),
  );
}

/** `mix32` of src/util/random.ts in unsigned ONNX arithmetic, which wraps as it must. */
function lowerMix32(to: Lowering, x: string): string {
  const fold = (bits: string, by: number): string => to.node("BitwiseXor", [bits, shiftRight(to, bits, by)]);
  const first = to.node("Mul", [fold(x, 16), uint(to, 0x85ebca6b)]);
  return fold(to.node("Mul", [fold(first, 13), uint(to, 0xc2b2ae35)]), 16);
}

function shiftRight(to: Lowering, bits: string, by: number): string {
  return to.node("BitShift", [bits, uint(to, by)], { direction: "RIGHT" });
}

function uint(to: Lowering, number: number): string {
  return to.constant("uint32", [], [number >>> 0]);
}
