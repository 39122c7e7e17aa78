import { broadcast } from "../dims.ts";
import { erf as errorFunction } from "../erf.ts";
import { apply1, fail } from "../graph.ts";
import type { Backward, DType, Op, Tensor } from "../types.ts";
import { elements, strides, type Value, walk } from "../value.ts";
import { constant, scalar } from "./leaf.ts";
import { sumTo, unsqueeze } from "./shape.ts";

export type Operand = Tensor | number;

interface BinaryRow {
  readonly onnx: string;
  readonly compute: (a: number, b: number) => number;
  readonly gradient: Op<null>["gradient"];
  readonly result?: DType;
  readonly operands?: readonly DType[];
}

const numeric: readonly DType[] = ["float32", "int32"];

function binary(name: string, { onnx, compute, gradient, result, operands = numeric }: BinaryRow): Op<null> {
  return {
    name,
    type: ([a, b]) => {
      if (a!.dtype !== b!.dtype || !operands.includes(a!.dtype))
        fail(name, `operands must both be ${operands.join(" or ")}`, a!, b!);
      const shape = broadcast(a!.shape, b!.shape) ?? fail(name, "shapes must broadcast", a!, b!);
      return [{ dtype: result ?? a!.dtype, shape }];
    },
    gradient,
    reference: ([a, b], _, [out]) => [elementwise(out!.shape, [a!, b!], (x, y) => compute(x!, y!))],
    lower: (to, inputs) => [to.node(onnx, inputs)],
  };
}

interface UnaryRow {
  readonly onnx: string;
  readonly compute: (x: number) => number;
  /** Gradient of the input from the operand, the result and the gradient of the result. */
  readonly gradient: (x: Tensor, y: Tensor, grad: Tensor) => Tensor;
}

function unary(name: string, { onnx, compute, gradient }: UnaryRow): Op<null> {
  return {
    name,
    type: ([x]) => (x!.dtype === "float32" ? [x!] : fail(name, "operand must be float32", x!)),
    gradient: ({ inputs: [x], outputs: [y], grad }) => [gradient(x!, y!, grad)],
    reference: ([x], _, [out]) => [elementwise(out!.shape, [x!], (a) => compute(a!))],
    lower: (to, inputs) => [to.node(onnx, inputs)],
  };
}

export function elementwise(
  shape: readonly number[],
  operands: readonly Value[],
  compute: (...x: number[]) => number,
): Value {
  const data = new Float64Array(elements(shape));
  const steps = operands.map((operand) => strides(operand.shape, shape));
  walk(shape, steps, (index, offsets) => {
    data[index] = compute(...operands.map((operand, k) => operand.data[offsets[k]!]!));
  });
  return { shape, data };
}

const toOperands = ({ inputs: [a, b] }: Backward<null>, da: Tensor, db: Tensor): Tensor[] => [
  sumTo(da, a!.shape),
  sumTo(db, b!.shape),
];

export const addOp = binary("add", {
  onnx: "Add",
  compute: (a, b) => a + b,
  gradient: (back) => toOperands(back, back.grad, back.grad),
});
export const subOp = binary("sub", {
  onnx: "Sub",
  compute: (a, b) => a - b,
  gradient: (back) => toOperands(back, back.grad, neg(back.grad)),
});
export const mulOp = binary("mul", {
  onnx: "Mul",
  compute: (a, b) => a * b,
  gradient: (back) => toOperands(back, mul(back.grad, back.inputs[1]!), mul(back.grad, back.inputs[0]!)),
});
export const divOp = binary("div", {
  onnx: "Div",
  compute: (a, b) => a / b,
  operands: ["float32"],
  gradient: (back) => {
    const da = div(back.grad, back.inputs[1]!);
    return toOperands(back, da, neg(mul(da, back.outputs[0]!)));
  },
});

const compare = (name: string, onnx: string, holds: (a: number, b: number) => boolean): Op<null> =>
  binary(name, { onnx, compute: (a, b) => (holds(a, b) ? 1 : 0), result: "bool", gradient: "none" });
export const equalOp = compare("equal", "Equal", (a, b) => a === b);
export const lessOp = compare("less", "Less", (a, b) => a < b);
export const greaterOp = compare("greater", "Greater", (a, b) => a > b);

const logical = (name: string, onnx: string, holds: (a: boolean, b: boolean) => boolean): Op<null> =>
  binary(name, {
    onnx,
    compute: (a, b) => (holds(a !== 0, b !== 0) ? 1 : 0),
    operands: ["bool"],
    gradient: "none",
  });
export const andOp = logical("and", "And", (a, b) => a && b);
export const orOp = logical("or", "Or", (a, b) => a || b);

export const notOp: Op<null> = {
  name: "not",
  type: ([x]) => (x!.dtype === "bool" ? [x!] : fail("not", "operand must be bool", x!)),
  gradient: "none",
  reference: ([x], _, [out]) => [elementwise(out!.shape, [x!], (a) => (a === 0 ? 1 : 0))],
  lower: (to, inputs) => [to.node("Not", inputs)],
};

export const negOp = unary("neg", { onnx: "Neg", compute: (x) => -x, gradient: (_, __, grad) => neg(grad) });
export const expOp = unary("exp", { onnx: "Exp", compute: Math.exp, gradient: (_, y, grad) => mul(grad, y) });
export const logOp = unary("log", { onnx: "Log", compute: Math.log, gradient: (x, _, grad) => div(grad, x) });
export const sqrtOp = unary("sqrt", {
  onnx: "Sqrt",
  compute: Math.sqrt,
  gradient: (_, y, grad) => div(mul(grad, 0.5), y),
});
export const tanhOp = unary("tanh", {
  onnx: "Tanh",
  compute: Math.tanh,
  gradient: (_, y, grad) => mul(grad, sub(1, mul(y, y))),
});
export const sigmoidOp = unary("sigmoid", {
  onnx: "Sigmoid",
  compute: (x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x))),
  gradient: (_, y, grad) => mul(grad, mul(y, sub(1, y))),
});
export const reluOp = unary("relu", {
  onnx: "Relu",
  compute: (x) => Math.max(x, 0),
  gradient: (_, y, grad) => where(greater(y, 0), grad, 0),
});
export const erfOp = unary("erf", {
  onnx: "Erf",
  compute: errorFunction,
  gradient: (x, _, grad) => mul(grad, mul(exp(neg(mul(x, x))), 2 / Math.sqrt(Math.PI))),
});

/** A constant power; whole numbers work for negative bases. */
export const powOp: Op<{ readonly exponent: number }> = {
  name: "pow",
  type: ([x]) => (x!.dtype === "float32" ? [x!] : fail("pow", "operand must be float32", x!)),
  gradient: ({ inputs: [x], attrs: { exponent }, grad }) => [mul(grad, mul(pow(x!, exponent - 1), exponent))],
  reference: ([x], { exponent }, [out]) => [elementwise(out!.shape, [x!], (a) => a! ** exponent)],
  lower: (to, [x], { exponent }) => [to.node("Pow", [x!, to.constant("float32", [], [exponent])])],
};

/** `condition ? a : b`, element by element. */
export const whereOp: Op<null> = {
  name: "where",
  type: ([condition, a, b]) => {
    if (condition!.dtype !== "bool" || a!.dtype !== b!.dtype)
      fail("where", "needs a bool and two operands of one type", condition!, a!, b!);
    const branches = broadcast(a!.shape, b!.shape);
    const shape = branches && broadcast(condition!.shape, branches);
    return [{ dtype: a!.dtype, shape: shape ?? fail("where", "shapes must broadcast", condition!, a!, b!) }];
  },
  gradient: ({ inputs: [condition, a, b], grad }) => [
    undefined,
    sumTo(where(condition!, grad, 0), a!.shape),
    sumTo(where(condition!, 0, grad), b!.shape),
  ],
  reference: (inputs, _, [out]) => [elementwise(out!.shape, inputs, (c, a, b) => (c ? a! : b!))],
  lower: (to, inputs) => [to.node("Where", inputs)],
};

/** Another type: numbers to bool is "not zero", float to int cuts towards zero. */
export const castOp: Op<{ readonly dtype: DType }> = {
  name: "cast",
  type: ([x], { dtype }) => [{ dtype, shape: x!.shape }],
  gradient: ({ inputs: [x], grad }) => [x!.dtype === "float32" ? grad : undefined],
  reference: ([x], { dtype }, [out]) => [
    elementwise(out!.shape, [x!], (a) =>
      dtype === "bool" ? (a !== 0 ? 1 : 0) : dtype === "int32" ? Math.trunc(a!) : a!,
    ),
  ],
  lower: (to, [x], { dtype }) => [to.cast(x!, dtype)],
};

const pair =
  (op: Op<null>) =>
  (a: Operand, b: Operand): Tensor => {
    const like = typeof a === "number" ? b : a;
    const dtype = typeof like === "number" ? "float32" : like.dtype;
    return apply1(op, [operand(a, dtype), operand(b, dtype)], null);
  };
const single =
  (op: Op<null>) =>
  (x: Tensor): Tensor =>
    apply1(op, [x], null);
const operand = (x: Operand, dtype: DType): Tensor => (typeof x === "number" ? scalar(x, dtype) : x);

export const add = pair(addOp);
export const sub = pair(subOp);
export const mul = pair(mulOp);
export const div = pair(divOp);
export const equal = pair(equalOp);
export const less = pair(lessOp);
export const greater = pair(greaterOp);
export const and = pair(andOp);
export const or = pair(orOp);
export const not = single(notOp);
export const neg = single(negOp);
export const exp = single(expOp);
export const log = single(logOp);
export const sqrt = single(sqrtOp);
export const tanh = single(tanhOp);
export const sigmoid = single(sigmoidOp);
export const relu = single(reluOp);
export const erf = single(erfOp);

export function pow(x: Tensor, exponent: number): Tensor {
  return exponent === 1 ? x : apply1(powOp, [x], { exponent });
}

export function where(condition: Tensor, a: Operand, b: Operand): Tensor {
  const like = typeof a === "number" ? b : a;
  const dtype = typeof like === "number" ? "float32" : like.dtype;
  return apply1(whereOp, [condition, operand(a, dtype), operand(b, dtype)], null);
}

export function cast(x: Tensor, dtype: DType): Tensor {
  return x.dtype === dtype ? x : apply1(castOp, [x], { dtype });
}

/** Ones where the ids equal their place along a new last axis: `[...]` of int32 → `[..., depth]` of float32. */
export function oneHot(ids: Tensor, depth: number): Tensor {
  const places = Array.from({ length: depth }, (_, place) => place);
  return cast(equal(unsqueeze(ids, -1), constant(places, [depth], "int32")), "float32");
}
