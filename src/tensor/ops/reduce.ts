import { axisOf, type Dim, sizeOf } from "../dims.ts";
import { apply, apply1, fail } from "../graph.ts";
import type { Op, Tensor } from "../types.ts";
import { lines, strides, value, walk } from "../value.ts";
import { add, cast, div, equal, exp, greater, log, mul, sub, where } from "./arithmetic.ts";
import { dimension, stopGradient } from "./leaf.ts";
import { keptShape, type ReduceAttrs, type ReduceOptions, reduceAttrs, reducedShape, reshape, sum } from "./shape.ts";

/** The mean over axes. */
export function mean(x: Tensor, options: ReduceOptions = {}): Tensor {
  const { axes } = reduceAttrs("mean", x, options);
  const count: Dim = sizeOf(axes.map((axis) => x.shape[axis]!));
  return div(sum(x, options), typeof count === "number" ? count : cast(dimension(count), "float32"));
}

/** The maximum over axes; equal maxima share the gradient. */
export const maxOp: Op<ReduceAttrs> = {
  name: "max",
  type: ([x], attrs) => {
    if (x!.dtype !== "float32") fail("max", "operand must be float32", x!);
    if (attrs.axes.some((axis) => x!.shape[axis] === 0)) fail("max", "no maximum of nothing", x!);
    return [{ dtype: x!.dtype, shape: reducedShape("max", x!, attrs) }];
  },
  gradient: ({ inputs: [x], outputs: [y], attrs: { axes }, grad }) => {
    const kept = keptShape(x!.shape, axes);
    const chosen = cast(equal(x!, reshape(y!, kept)), "float32");
    return [mul(div(reshape(grad, kept), sum(chosen, { axes, keep: true })), chosen)];
  },
  reference: ([x], { axes }, [out]) => {
    const kept = x!.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
    const result = value(out!.shape, () => Number.NEGATIVE_INFINITY);
    walk(x!.shape, [strides(kept, x!.shape)], (index, [offset]) => {
      result.data[offset!] = Math.max(result.data[offset!]!, x!.data[index]!);
    });
    return [result];
  },
  lower: (to, [x], { axes, keep }) => [
    to.node("ReduceMax", [x!, to.constant("int64", [axes.length], axes)], { keepdims: keep ? 1 : 0 }),
  ],
};

export function max(x: Tensor, options: ReduceOptions = {}): Tensor {
  return apply1(maxOp, [x], reduceAttrs("max", x, options));
}

export interface AxisAttrs {
  readonly axis: number;
}

function alongAxis(
  name: string,
  onnx: string,
  row: (x: Float64Array) => number[],
  gradient: (y: Tensor, grad: Tensor, axis: number) => Tensor,
): Op<AxisAttrs> {
  return {
    name,
    type: ([x]) => (x!.dtype === "float32" ? [x!] : fail(name, "operand must be float32", x!)),
    gradient: ({ outputs: [y], attrs: { axis }, grad }) => [gradient(y!, grad, axis)],
    reference: ([x], { axis }, [out]) => {
      const result = value(out!.shape, () => 0);
      lines(x!.shape, axis, (start, stride) => {
        const line = Float64Array.from({ length: x!.shape[axis]! }, (_, i) => x!.data[start + i * stride]!);
        row(line).forEach((y, i) => {
          result.data[start + i * stride] = y;
        });
      });
      return [result];
    },
    lower: (to, inputs, { axis }) => [to.node(onnx, inputs, { axis })],
  };
}

export const softmaxOp = alongAxis(
  "softmax",
  "Softmax",
  (x) => {
    const shift = logSum(x);
    return Array.from(x, (a) => Math.exp(a - shift));
  },
  (y, grad, axis) => mul(y, sub(grad, sum(mul(grad, y), { axes: axis, keep: true }))),
);

export const logSoftmaxOp = alongAxis(
  "logSoftmax",
  "LogSoftmax",
  (x) => {
    const shift = logSum(x);
    return Array.from(x, (a) => a - shift);
  },
  (y, grad, axis) => sub(grad, mul(exp(y), sum(grad, { axes: axis, keep: true }))),
);

const normalised =
  (op: Op<AxisAttrs>) =>
  (x: Tensor, axis = -1): Tensor =>
    apply1(op, [x], { axis: axisOf(axis, x.shape.length) ?? fail(op.name, `axis ${axis} is out of range`, x) });

export const softmax = normalised(softmaxOp);
export const logSoftmax = normalised(logSoftmaxOp);

/** log Σ exp over axes, safe for large scores; −∞ where every operand is. */
export function logSumExp(x: Tensor, options: ReduceOptions = {}): Tensor {
  const { axes } = reduceAttrs("logSumExp", x, options);
  const top = stopMax(x, axes);
  const total = log(sum(exp(sub(x, top)), { axes, keep: true }));
  const kept = add(total, top);
  return options.keep ? kept : reshape(kept, reducedShape("logSumExp", x, { axes, keep: false }));
}

/** The maximum as a constant shift; 0 where it is −∞, because −∞ − −∞ is not a number. */
function stopMax(x: Tensor, axes: readonly number[]): Tensor {
  const top = stopGradient(max(x, { axes, keep: true }));
  return where(greater(top, Number.MIN_SAFE_INTEGER), top, 0);
}

function logSum(x: Float64Array): number {
  const top = x.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  return top + Math.log(x.reduce((total, a) => total + Math.exp(a - top), 0));
}

/** The place of the largest element; of equal ones the first. */
export const argmaxOp: Op<AxisAttrs> = {
  name: "argmax",
  type: ([x], { axis }) => {
    if (x!.dtype !== "float32") fail("argmax", "operand must be float32", x!);
    return [{ dtype: "int32", shape: x!.shape.filter((_, i) => i !== axis) }];
  },
  gradient: "none",
  reference: ([x], { axis }, [out]) => {
    const places: number[] = [];
    lines(x!.shape, axis, (start, stride) => {
      let best = 0;
      for (let i = 1; i < x!.shape[axis]!; i++)
        if (x!.data[start + i * stride]! > x!.data[start + best * stride]!) best = i;
      places.push(best);
    });
    return [value(out!.shape, places)];
  },
  lower: (to, [x], { axis }) => [to.cast(to.node("ArgMax", [x!], { axis, keepdims: 0 }), "int32")],
};

export const argmax = normalised(argmaxOp);

/** The k largest along the last axis, in falling order, and their places; of equal ones the first comes first. */
export const topKOp: Op<{ readonly k: Dim }> = {
  name: "topK",
  type: ([x], { k }) => {
    const length = x!.shape.at(-1);
    if (x!.dtype !== "float32" || length === undefined)
      fail("topK", "operand must be float32 with at least one axis", x!);
    if (typeof k === "number" && (k < 0 || (typeof length === "number" && k > length))) {
      fail("topK", `k = ${k} must lie in [0, ${length}]`, x!);
    }
    const shape = [...x!.shape.slice(0, -1), k];
    return [
      { dtype: "float32", shape },
      { dtype: "int32", shape },
    ];
  },
  gradient: "none",
  reference: ([x], _, [out]) => {
    const k = out!.shape.at(-1)!;
    const values: number[] = [];
    const places: number[] = [];
    lines(x!.shape, x!.shape.length - 1, (start) => {
      const order = Array.from({ length: x!.shape.at(-1)! }, (_, i) => i);
      order.sort((a, b) => x!.data[start + b]! - x!.data[start + a]! || a - b);
      for (const place of order.slice(0, k)) {
        values.push(x!.data[start + place]!);
        places.push(place);
      }
    });
    return [value(out!.shape, values), value(out!.shape, places)];
  },
  lower: (to, [x], { k }) => {
    const [values, places] = to.nodes("TopK", [x!, to.shape([k])], 2, {
      axis: -1,
      largest: 1,
      sorted: 1,
    });
    return [values!, to.cast(places!, "int32")];
  },
};

export function topK(x: Tensor, k: Dim): { values: Tensor; places: Tensor } {
  const [values, places] = apply(topKOp, [x], { k }).outputs;
  return { values: values!, places: places! };
}
