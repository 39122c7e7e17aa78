import type { Dim, Shape } from "../dims.ts";
import { apply1, fail } from "../graph.ts";
import type { DType, Op, Tensor } from "../types.ts";
import { elements, value } from "../value.ts";

/** A value given when the graph runs. */
export const inputOp: Op<{ readonly name: string; readonly dtype: DType; readonly shape: Shape }> = {
  name: "input",
  type: (_, { dtype, shape }) => [{ dtype, shape }],
  gradient: "none",
  reference: (_, { name }) => {
    throw new RangeError(`input: no value was given for "${name}"`);
  },
  lower: (_, __, { name }) => [name],
};

export function input(name: string, dtype: DType, shape: Shape): Tensor {
  return apply1(inputOp, [], { name, dtype, shape });
}

/** Numbers that are part of the graph. */
export const constantOp: Op<{
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly values: readonly number[];
}> = {
  name: "constant",
  type: (_, { dtype, shape, values }) => {
    if (elements(shape) !== values.length)
      fail("constant", `shape [${shape.join(", ")}] does not hold ${values.length} numbers`);
    return [{ dtype, shape }];
  },
  gradient: "none",
  reference: (_, { shape, values }) => [value(shape, values)],
  lower: (to, _, { dtype, shape, values }) => [to.constant(dtype, shape, values)],
};

export function constant(
  values: readonly number[],
  shape: readonly number[] = [values.length],
  dtype: DType = "float32",
): Tensor {
  return apply1(constantOp, [], { dtype, shape, values });
}

export function scalar(number: number, dtype: DType = "float32"): Tensor {
  return constant([number], [], dtype);
}

/** The same value, through which no gradient flows back. */
export const stopGradientOp: Op<null> = {
  name: "stopGradient",
  type: ([x]) => [x!],
  gradient: "none",
  reference: ([x]) => [x!],
  lower: (_, [x]) => [x!],
};

export function stopGradient(x: Tensor): Tensor {
  return apply1(stopGradientOp, [x], null);
}

/** The size of a dimension as a number in the graph. */
export const dimensionOp: Op<{ readonly dim: Dim }> = {
  name: "dimension",
  type: () => [{ dtype: "int32", shape: [] }],
  gradient: "none",
  reference: (_, { dim }, __, size) => [value([], [size(dim)])],
  lower: (to, _, { dim }) => [to.cast(to.node("Reshape", [to.shape([dim]), to.constant("int64", [0], [])]), "int32")],
};

export function dimension(dim: Dim): Tensor {
  return apply1(dimensionOp, [], { dim });
}
