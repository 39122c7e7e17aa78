import { axisOf, type Dim, minus, plus, sameShape } from "../dims.ts";
import { apply, apply1, fail } from "../graph.ts";
import type { Op, Tensor } from "../types.ts";
import { elements, type Value, value } from "../value.ts";
import { scalar } from "./leaf.ts";
import { expand } from "./shape.ts";

/** Tensors behind one another along an axis. */
export const concatOp: Op<{ readonly axis: number }> = {
  name: "concat",
  type: (inputs, { axis }) => {
    const first = inputs[0] ?? fail("concat", "needs at least one operand");
    const others = (shape: readonly Dim[]): readonly Dim[] => shape.filter((_, i) => i !== axis);
    for (const x of inputs) {
      if (x.dtype !== first.dtype || !sameShape(others(x.shape), others(first.shape))) {
        fail("concat", `operands must agree in all but axis ${axis}`, first, x);
      }
    }
    const length = plus(...inputs.map((x) => x.shape[axis]!));
    return [{ dtype: first.dtype, shape: first.shape.map((dim, i) => (i === axis ? length : dim)) }];
  },
  gradient: ({ inputs, attrs: { axis }, grad }) => {
    let start: Dim = 0;
    return inputs.map((x) => {
      const from = start;
      start = plus(start, x.shape[axis]!);
      return slice(grad, axis, from, start);
    });
  },
  reference: (inputs, { axis }, [out]) => {
    const result = value(out!.shape, () => 0);
    let at = 0;
    for (const x of inputs) {
      copyAlong(x, result, axis, 0, at, x.shape[axis]!);
      at += x.shape[axis]!;
    }
    return [result];
  },
  lower: (to, inputs, { axis }) => [to.node("Concat", inputs, { axis })],
};

export function concat(tensors: readonly Tensor[], axis: number): Tensor {
  const [first] = tensors;
  if (tensors.length === 1) return first!;
  const positive = axisOf(axis, first?.shape.length ?? 0) ?? fail("concat", `axis ${axis} is out of range`, ...tensors);
  return apply1(concatOp, tensors, { axis: positive });
}

export interface Piece {
  readonly axis: number;
  readonly start: Dim;
  readonly end: Dim;
}

/** The part `[start, end)` of an axis. */
export const sliceOp: Op<Piece> = {
  name: "slice",
  type: ([x], { axis, start, end }) => {
    const length = x!.shape[axis] ?? fail("slice", `axis ${axis} is out of range`, x!);
    const size = minus(end, start);
    const wrong = (dim: Dim): boolean => typeof dim === "number" && dim < 0;
    if ([start, size, minus(length, end)].some(wrong))
      fail("slice", `[${start}, ${end}) must lie within axis ${axis}`, x!);
    return [{ dtype: x!.dtype, shape: x!.shape.map((dim, i) => (i === axis ? size : dim)) }];
  },
  gradient: ({ inputs: [x], attrs: { axis, start, end }, grad }) => [
    pad(grad, axis, start, minus(x!.shape[axis]!, end)),
  ],
  reference: ([x], { axis, start }, [out], size) => {
    const result = value(out!.shape, () => 0);
    copyAlong(x!, result, axis, size(start), 0, out!.shape[axis]!);
    return [result];
  },
  lower: (to, [x], { axis, start, end }) => [
    to.node("Slice", [x!, to.shape([start]), to.shape([end]), to.constant("int64", [1], [axis])]),
  ],
};

export function slice(x: Tensor, axis: number, start: Dim, end: Dim): Tensor {
  const positive = axisOf(axis, x.shape.length) ?? fail("slice", `axis ${axis} is out of range`, x);
  if (start === 0 && end === x.shape[positive]) return x;
  return apply1(sliceOp, [x], { axis: positive, start, end });
}

export interface Cuts {
  readonly axis: number;
  readonly lengths: readonly number[];
}

/** An axis cut into parts of the given lengths. */
export const splitOp: Op<Cuts> = {
  name: "split",
  type: ([x], { axis, lengths }) => {
    const total = lengths.reduce((a, b) => a + b, 0);
    if (x!.shape[axis] !== total) fail("split", `lengths ${lengths.join(" + ")} must add up to axis ${axis}`, x!);
    return lengths.map((length) => ({ dtype: x!.dtype, shape: x!.shape.map((dim, i) => (i === axis ? length : dim)) }));
  },
  gradient: ({ outputs, attrs: { axis }, grads }) => [
    concat(
      grads.map((grad, i) => grad ?? expand(scalar(0), outputs[i]!.shape)),
      axis,
    ),
  ],
  reference: ([x], { axis, lengths }, outputs) => {
    let at = 0;
    return outputs.map(({ shape }, i) => {
      const result = value(shape, () => 0);
      copyAlong(x!, result, axis, at, 0, lengths[i]!);
      at += lengths[i]!;
      return result;
    });
  },
  lower: (to, [x], { axis, lengths }) =>
    to.nodes("Split", [x!, to.constant("int64", [lengths.length], lengths)], lengths.length, { axis }),
};

export function split(x: Tensor, axis: number, lengths: readonly number[]): readonly Tensor[] {
  const positive = axisOf(axis, x.shape.length) ?? fail("split", `axis ${axis} is out of range`, x);
  return apply(splitOp, [x], { axis: positive, lengths }).outputs;
}

/** An axis read from its end to its start. */
export const flipOp: Op<{ readonly axis: number }> = {
  name: "flip",
  type: ([x]) => [x!],
  gradient: ({ attrs: { axis }, grad }) => [flip(grad, axis)],
  reference: ([x], { axis }, [out]) => {
    const result = value(out!.shape, () => 0);
    const length = x!.shape[axis]!;
    for (let i = 0; i < length; i++) copyAlong(x!, result, axis, i, length - 1 - i, 1);
    return [result];
  },
  lower: (to, [x], { axis }) => {
    const one = (number: number): string => to.constant("int64", [1], [number]);
    return [to.node("Slice", [x!, one(-1), one(-(2 ** 31)), one(axis), one(-1)])];
  },
};

export function flip(x: Tensor, axis: number): Tensor {
  return apply1(flipOp, [x], { axis: axisOf(axis, x.shape.length) ?? fail("flip", `axis ${axis} is out of range`, x) });
}

export interface Margins {
  readonly axis: number;
  readonly before: Dim;
  readonly after: Dim;
}

/** Zeros before and after an axis. */
export const padOp: Op<Margins> = {
  name: "pad",
  type: ([x], { axis, before, after }) => {
    if (x!.dtype !== "float32") fail("pad", "operand must be float32", x!);
    const length = x!.shape[axis] ?? fail("pad", `axis ${axis} is out of range`, x!);
    return [{ dtype: x!.dtype, shape: x!.shape.map((dim, i) => (i === axis ? plus(before, length, after) : dim)) }];
  },
  gradient: ({ inputs: [x], attrs: { axis, before }, grad }) => [
    slice(grad, axis, before, plus(before, x!.shape[axis]!)),
  ],
  reference: ([x], { axis, before }, [out], size) => {
    const result = value(out!.shape, () => 0);
    copyAlong(x!, result, axis, 0, size(before), x!.shape[axis]!);
    return [result];
  },
  lower: (to, [x], { axis, before, after }, { inputs }) => {
    const zeros = inputs[0]!.shape.map(() => 0);
    const pads = [zeros.with(axis, 1), zeros.with(axis, 1)]
      .flat()
      .map((set, i) => (set ? (i < zeros.length ? before : after) : 0));
    return [to.node("Pad", [x!, to.shape(pads), to.constant("float32", [], [0])])];
  },
};

export function pad(x: Tensor, axis: number, before: Dim, after: Dim): Tensor {
  const positive = axisOf(axis, x.shape.length) ?? fail("pad", `axis ${axis} is out of range`, x);
  return before === 0 && after === 0 ? x : apply1(padOp, [x], { axis: positive, before, after });
}

function copyAlong(from: Value, to: Value, axis: number, read: number, write: number, count: number): void {
  const inner = elements(from.shape.slice(axis + 1));
  const outer = elements(from.shape.slice(0, axis));
  const [fromLine, toLine] = [from.shape[axis]! * inner, to.shape[axis]! * inner];
  for (let o = 0; o < outer; o++) {
    const start = o * fromLine + read * inner;
    to.data.set(from.data.subarray(start, start + count * inner), o * toLine + write * inner);
  }
}
