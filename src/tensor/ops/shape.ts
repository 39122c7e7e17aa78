import { axisOf, broadcast, type Dim, formatShape, type Shape, sameShape, sizeOf } from "../dims.ts";
import { apply1, fail } from "../graph.ts";
import type { Op, Tensor } from "../types.ts";
import { elements, strides, value, walk } from "../value.ts";

/** The same elements in another shape. */
export const reshapeOp: Op<{ readonly shape: Shape }> = {
  name: "reshape",
  type: ([x], { shape }) => {
    if (sizeOf(x!.shape) !== sizeOf(shape))
      fail("reshape", `${formatShape(shape)} must hold as many elements as the operand`, x!);
    return [{ dtype: x!.dtype, shape }];
  },
  gradient: ({ inputs: [x], grad }) => [reshape(grad, x!.shape)],
  reference: ([x], _, [out]) => [{ shape: out!.shape, data: x!.data }],
  lower: (to, [x], { shape }) => [to.node("Reshape", [x!, to.shape(shape)], { allowzero: 1 })],
};

export function reshape(x: Tensor, shape: Shape): Tensor {
  return sameShape(x.shape, shape) ? x : apply1(reshapeOp, [x], { shape });
}

/** Axes in another order. */
export const transposeOp: Op<{ readonly order: readonly number[] }> = {
  name: "transpose",
  type: ([x], { order }) => {
    if ([...order].sort((a, b) => a - b).some((axis, i) => axis !== i) || order.length !== x!.shape.length) {
      fail("transpose", `order [${order.join(", ")}] must name each axis once`, x!);
    }
    return [{ dtype: x!.dtype, shape: order.map((axis) => x!.shape[axis]!) }];
  },
  gradient: ({ attrs: { order }, grad }) => [
    transpose(
      grad,
      order.map((_, axis) => order.indexOf(axis)),
    ),
  ],
  reference: ([x], { order }, [out]) => {
    const step = strides(x!.shape);
    const data = new Float64Array(x!.data.length);
    walk(out!.shape, [order.map((axis) => step[axis]!)], (index, [offset]) => {
      data[index] = x!.data[offset!]!;
    });
    return [{ shape: out!.shape, data }];
  },
  lower: (to, [x], { order }) => [to.node("Transpose", [x!], { perm: order })],
};

/** Reorders the axes; without an order, swaps the last two. */
export function transpose(x: Tensor, order?: readonly number[]): Tensor {
  const axes = x.shape.map((_, axis) => axis);
  const target = order ?? [...axes.slice(0, -2), axes.length - 1, axes.length - 2];
  return target.every((axis, i) => axis === i) && target.length === axes.length
    ? x
    : apply1(transposeOp, [x], { order: target });
}

/** Repeats along axes of size 1, and along new leading axes. */
export const expandOp: Op<{ readonly shape: Shape }> = {
  name: "expand",
  type: ([x], { shape }) => {
    const common = broadcast(x!.shape, shape);
    if (!common || !sameShape(common, shape)) fail("expand", `operand must broadcast to ${formatShape(shape)}`, x!);
    return [{ dtype: x!.dtype, shape }];
  },
  gradient: ({ inputs: [x], grad }) => [sumTo(grad, x!.shape)],
  reference: ([x], _, [out]) => {
    const data = new Float64Array(elements(out!.shape));
    walk(out!.shape, [strides(x!.shape, out!.shape)], (index, [offset]) => {
      data[index] = x!.data[offset!]!;
    });
    return [{ shape: out!.shape, data }];
  },
  lower: (to, [x], { shape }) => [to.node("Expand", [x!, to.shape(shape)])],
};

export function expand(x: Tensor, shape: Shape): Tensor {
  return sameShape(x.shape, shape) ? x : apply1(expandOp, [x], { shape });
}

export interface ReduceAttrs {
  readonly axes: readonly number[];
  readonly keep: boolean;
}

/** Sum over axes. An empty sum is 0. */
export const sumOp: Op<ReduceAttrs> = {
  name: "sum",
  type: ([x], attrs) => {
    if (x!.dtype !== "float32") fail("sum", "operand must be float32", x!);
    return [{ dtype: x!.dtype, shape: reducedShape("sum", x!, attrs) }];
  },
  gradient: ({ inputs: [x], attrs, grad }) => [expand(reshape(grad, keptShape(x!.shape, attrs.axes)), x!.shape)],
  reference: ([x], { axes }, [out]) => {
    const kept = x!.shape.map((size, axis) => (axes.includes(axis) ? 1 : size));
    const result = value(out!.shape, () => 0);
    walk(x!.shape, [strides(kept, x!.shape)], (index, [offset]) => {
      result.data[offset!]! += x!.data[index]!;
    });
    return [result];
  },
  lower: (to, [x], { axes, keep }) => [
    to.node("ReduceSum", [x!, to.constant("int64", [axes.length], axes)], { keepdims: keep ? 1 : 0 }),
  ],
};

export interface ReduceOptions {
  readonly axes?: number | readonly number[];
  readonly keep?: boolean;
}

export function sum(x: Tensor, options: ReduceOptions = {}): Tensor {
  const attrs = reduceAttrs("sum", x, options);
  return attrs.axes.length === 0 ? x : apply1(sumOp, [x], attrs);
}

export function reduceAttrs(op: string, x: Tensor, { axes, keep = false }: ReduceOptions): ReduceAttrs {
  const listed = axes === undefined ? x.shape.map((_, axis) => axis) : typeof axes === "number" ? [axes] : axes;
  const positive = listed.map((axis) => axisOf(axis, x.shape.length) ?? fail(op, `axis ${axis} is out of range`, x));
  return { axes: [...new Set(positive)].sort((a, b) => a - b), keep };
}

export function reducedShape(op: string, x: Tensor, { axes, keep }: ReduceAttrs): Shape {
  if (axes.some((axis) => axisOf(axis, x.shape.length) !== axis))
    fail(op, `axes [${axes.join(", ")}] are out of range`, x);
  return keep ? keptShape(x.shape, axes) : x.shape.filter((_, axis) => !axes.includes(axis));
}

export function keptShape(shape: Shape, axes: readonly number[]): Shape {
  return shape.map((dim, axis) => (axes.includes(axis) ? 1 : dim));
}

/** Undoes broadcasting: sums a gradient over the axes along which its operand was repeated. */
export function sumTo(x: Tensor, shape: Shape): Tensor {
  if (sameShape(x.shape, shape)) return x;
  const lead = x.shape.length - shape.length;
  const axes = x.shape.flatMap((dim, axis) => (axis < lead || (shape[axis - lead] === 1 && dim !== 1) ? [axis] : []));
  return reshape(sum(x, { axes, keep: true }), shape);
}

/** Adds axes of size 1. */
export function unsqueeze(x: Tensor, axis: number): Tensor {
  const at = axis < 0 ? axis + x.shape.length + 1 : axis;
  return reshape(x, [...x.shape.slice(0, at), 1, ...x.shape.slice(at)]);
}

/** Merges all axes but the last `tail`, so that `[batch, time, d]` becomes `[batch*time, d]`. */
export function flatten(x: Tensor, tail = 1): Tensor {
  const cut = x.shape.length - tail;
  return reshape(x, [sizeOf(x.shape.slice(0, cut)), ...(x.shape.slice(cut) as Dim[])]);
}
