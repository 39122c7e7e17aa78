import { axisOf, type Dim, sizeOf } from "../dims.ts";
import { apply1, fail } from "../graph.ts";
import type { Op, Tensor } from "../types.ts";
import { elements, lines, value } from "../value.ts";
import { cast, oneHot } from "./arithmetic.ts";
import { matmul } from "./matmul.ts";
import { flatten, reshape } from "./shape.ts";

/** Rows of a table by their ids: `[rows, ...]` and ids `[...]` → `[...ids, ...row]`. */
export const gatherOp: Op<null> = {
  name: "gather",
  type: ([table, ids]) => {
    if (ids!.dtype !== "int32" || table!.shape.length < 1) fail("gather", "needs a table and int32 ids", table!, ids!);
    return [{ dtype: table!.dtype, shape: [...ids!.shape, ...table!.shape.slice(1)] }];
  },
  gradient: ({ inputs: [table, ids], grad }) => {
    const count = sizeOf(ids!.shape);
    const rows = reshape(grad, [count, ...table!.shape.slice(1)]);
    return [scatterAdd(rows, reshape(ids!, [count]), table!.shape[0]!), undefined];
  },
  reference: ([table, ids], _, [out]) => {
    const width = elements(table!.shape.slice(1));
    const result = value(out!.shape, () => 0);
    ids!.data.forEach((id, i) => {
      result.data.set(table!.data.subarray(id * width, (id + 1) * width), i * width);
    });
    return [result];
  },
  lower: (to, inputs) => [to.node("Gather", inputs, { axis: 0 })],
};

export function gather(table: Tensor, ids: Tensor): Tensor {
  return apply1(gatherOp, [table, ids], null);
}

/** Adds each row of the updates to the row of a zero table that its id names: the gradient of `gather`. */
export const scatterAddOp: Op<{ readonly rows: Dim }> = {
  name: "scatterAdd",
  type: ([updates, ids], { rows }) => {
    if (
      updates!.dtype !== "float32" ||
      ids!.dtype !== "int32" ||
      ids!.shape.length !== 1 ||
      ids!.shape[0] !== updates!.shape[0]
    ) {
      fail("scatterAdd", "needs float32 updates and one int32 id for each of their rows", updates!, ids!);
    }
    return [{ dtype: "float32", shape: [rows, ...updates!.shape.slice(1)] }];
  },
  gradient: ({ inputs: [, ids], grad }) => [gather(grad, ids!), undefined],
  reference: ([updates, ids], _, [out]) => {
    const width = elements(updates!.shape.slice(1));
    const result = value(out!.shape, () => 0);
    ids!.data.forEach((id, i) => {
      for (let k = 0; k < width; k++) result.data[id * width + k]! += updates!.data[i * width + k]!;
    });
    return [result];
  },
  lower: (to, [updates, ids], { rows }, node) => {
    const shape = [rows, ...node.inputs[0]!.shape.slice(1)];
    const zeros = to.node("Expand", [to.constant("float32", [], [0]), to.shape(shape)]);
    // One id for each number. ScatterND would take one for each row, but its threads lose sums that they add at once.
    const axes = shape.slice(1).map((_, axis) => axis + 1);
    const column = to.node("Unsqueeze", [ids!, to.constant("int64", [axes.length], axes)]);
    const places = to.node("Expand", [column, to.shape(node.inputs[0]!.shape)]);
    return [to.node("ScatterElements", [zeros, places, updates!], { axis: 0, reduction: "add" })];
  },
};

export function scatterAdd(updates: Tensor, ids: Tensor, rows: Dim): Tensor {
  return apply1(scatterAddOp, [updates, ids], { rows });
}

/** Rows of a small table, written as a product with one-hot rows, whose gradient is a product too. */
export function gatherSmall(table: Tensor, ids: Tensor): Tensor {
  const [rows, width] = table.shape;
  const flat = matmul(flatten(oneHot(ids, rows as number)), table);
  return reshape(flat, [...ids.shape, width!]);
}

export interface AlongAttrs {
  readonly axis: number;
}

/** Elements by their place along an axis: the ids have the shape of the result. */
export const takeAlongOp: Op<AlongAttrs> = {
  name: "takeAlong",
  type: ([x, ids], { axis }) => {
    const fits =
      ids!.shape.length === x!.shape.length && ids!.shape.every((dim, i) => i === axis || dim === x!.shape[i]);
    if (ids!.dtype !== "int32" || !fits)
      fail("takeAlong", `ids must be int32 and agree in all but axis ${axis}`, x!, ids!);
    return [{ dtype: x!.dtype, shape: ids!.shape }];
  },
  gradient: ({ inputs: [x, ids], attrs: { axis }, grad }) => [putAlong(grad, ids!, axis, x!.shape[axis]!), undefined],
  reference: ([x, ids], { axis }, [out]) => {
    const result = value(out!.shape, () => 0);
    pairLines(x!.shape, ids!.shape, axis, (from, to, stride) => {
      for (let i = 0; i < ids!.shape[axis]!; i++) {
        result.data[to + i * stride] = x!.data[from + ids!.data[to + i * stride]! * stride]!;
      }
    });
    return [result];
  },
  lower: (to, inputs, { axis }) => [to.node("GatherElements", inputs, { axis })],
};

export function takeAlong(x: Tensor, ids: Tensor, axis = -1): Tensor {
  return apply1(takeAlongOp, [x, ids], {
    axis: axisOf(axis, x.shape.length) ?? fail("takeAlong", `axis ${axis} is out of range`, x),
  });
}

/** Adds elements to zeros at their places along an axis: the gradient of `takeAlong`. */
export const putAlongOp: Op<AlongAttrs & { readonly length: Dim }> = {
  name: "putAlong",
  type: ([updates, ids], { axis, length }) => {
    if (
      updates!.dtype !== "float32" ||
      ids!.dtype !== "int32" ||
      ids!.shape.some((dim, i) => dim !== updates!.shape[i])
    ) {
      fail("putAlong", "needs float32 updates and int32 ids of one shape", updates!, ids!);
    }
    return [{ dtype: "float32", shape: updates!.shape.map((dim, i) => (i === axis ? length : dim)) }];
  },
  gradient: ({ inputs: [, ids], attrs: { axis }, grad }) => [takeAlong(grad, ids!, axis), undefined],
  reference: ([updates, ids], { axis }, [out]) => {
    const result = value(out!.shape, () => 0);
    pairLines(out!.shape, ids!.shape, axis, (to, from, stride) => {
      for (let i = 0; i < ids!.shape[axis]!; i++) {
        result.data[to + ids!.data[from + i * stride]! * stride]! += updates!.data[from + i * stride]!;
      }
    });
    return [result];
  },
  lower: (to, [updates, ids], { axis, length }, node) => {
    const shape = node.inputs[0]!.shape.map((dim, i) => (i === axis ? length : dim));
    const zeros = to.node("Expand", [to.constant("float32", [], [0]), to.shape(shape)]);
    return [to.node("ScatterElements", [zeros, ids!, updates!], { axis, reduction: "add" })];
  },
};

export function putAlong(updates: Tensor, ids: Tensor, axis: number, length: Dim): Tensor {
  return apply1(putAlongOp, [updates, ids], { axis, length });
}

/** The element that an id names in each row of the last axis: `[..., n]` and ids `[...]` → `[...]`. */
export function pick(x: Tensor, ids: Tensor): Tensor {
  return reshape(takeAlong(x, reshape(cast(ids, "int32"), [...ids.shape, 1])), ids.shape);
}

function pairLines(
  a: readonly number[],
  b: readonly number[],
  axis: number,
  visit: (aStart: number, bStart: number, stride: number) => void,
): void {
  const starts: number[] = [];
  lines(a, axis, (start) => starts.push(start));
  let index = 0;
  lines(b, axis, (start, stride) => visit(starts[index++]!, start, stride));
}
