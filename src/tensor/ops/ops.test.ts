import { describe, expect, it } from "vitest";
import { checkFunction, type Operand, operand } from "../../../test/support/gradients.ts";
import type { Random } from "../../util/random.ts";
import * as t from "../index.ts";
import { opTable } from "./index.ts";

interface Case {
  readonly build: (...inputs: t.Tensor[]) => t.Tensor | readonly t.Tensor[];
  readonly operands: readonly (readonly Operand[])[];
  readonly gradient?: boolean;
}

const positive = (rng: Random): number => 0.2 + 2 * rng.next();
const below =
  (limit: number) =>
  (rng: Random): number =>
    rng.below(limit);
const flags = { dtype: "bool", fill: below(2) } as const;
const ids = (limit: number) => ({ dtype: "int32", fill: below(limit) }) as const;

/** Shapes with a size-1 and an empty dimension among them, numeric and named. */
const unaryShapes = [[operand([2, 3])], [operand([1])], [operand([0, 4])], [operand([3, 2], { shape: ["batch", 2] })]];
const binaryShapes = [
  [operand([2, 3]), operand([2, 3])],
  [operand([2, 3]), operand([3])],
  [operand([2, 1, 3]), operand([4, 1])],
  [operand([]), operand([2])],
  [operand([0, 3]), operand([1, 3])],
  [operand([2, 3], { shape: ["batch", 3] }), operand([2, 1], { shape: ["batch", 1] })],
];
const awayFromZero = (rng: Random): number => (rng.below(2) ? 1 : -1) * positive(rng);

const single = (op: (x: t.Tensor) => t.Tensor, fill?: Operand["fill"]): Case => ({
  build: op,
  operands: unaryShapes.map(([x]) => [{ ...x!, ...(fill && { fill }) }]),
});
const pair = (op: (a: t.Tensor, b: t.Tensor) => t.Tensor, fill?: Operand["fill"]): Case => ({
  build: op,
  operands: binaryShapes.map((both) => both.map((x) => ({ ...x, ...(fill && { fill }) }))),
});
const noGradient = (one: Case): Case => ({ ...one, gradient: false });

const cases: Readonly<Record<Exclude<t.OpName, "input" | "step">, Case>> = {
  constant: { build: () => t.constant([1, 2, 3, 4], [2, 2]), operands: [[]], gradient: false },
  dimension: {
    build: (x) => [t.dimension("batch"), t.dimension("2*batch+time+3"), x],
    operands: [[operand([3, 5], { shape: ["batch", "time"] })]],
  },
  stopGradient: { build: (x) => t.mul(x, t.stopGradient(x)), operands: [[operand([3])]], gradient: false },
  add: pair(t.add),
  sub: pair(t.sub),
  mul: pair(t.mul),
  div: pair(t.div, awayFromZero),
  equal: noGradient(pair(t.equal, below(2))),
  less: noGradient(pair(t.less)),
  greater: noGradient(pair(t.greater)),
  and: { build: t.and, operands: [[operand([4], flags), operand([2, 1], flags)]], gradient: false },
  or: { build: t.or, operands: [[operand([4], flags), operand([2, 1], flags)]], gradient: false },
  not: { build: t.not, operands: [[operand([5], flags)]], gradient: false },
  neg: single(t.neg),
  exp: single(t.exp),
  log: single(t.log, positive),
  sqrt: single(t.sqrt, positive),
  pow: {
    build: (x) => [t.pow(x, 3), t.pow(x, 2), t.pow(x, -1)],
    operands: [[operand([2, 3], { fill: awayFromZero })]],
  },
  tanh: single(t.tanh),
  sigmoid: single((x) => t.sigmoid(t.mul(x, 20))),
  relu: single(t.relu, awayFromZero),
  erf: single((x) => t.erf(t.mul(x, 2))),
  gelu: single((x) => t.gelu(t.mul(x, 2))),
  where: {
    build: t.where,
    operands: [
      [operand([2, 3], flags), operand([3]), operand([2, 1])],
      [operand([2, 1], flags), operand([]), operand([2, 3])],
    ],
  },
  cast: {
    build: (x, y) => [t.cast(x, "float32"), t.mul(t.cast(t.cast(y, "int32"), "float32"), 2)],
    operands: [[operand([3], flags), operand([4])]],
    gradient: false,
  },
  matmul: {
    build: (a, b) => t.matmul(a, b),
    operands: [
      [operand([2, 3]), operand([3, 4])],
      [operand([1, 1]), operand([1, 1])],
      [operand([0, 3]), operand([3, 2])],
      [operand([2, 5, 3], { shape: ["batch", "time", 3] }), operand([3, 4])],
      [operand([2, 1, 2, 3]), operand([3, 3, 4])],
    ],
  },
  reshape: {
    build: (x) => t.reshape(x, [t.times("batch", "time"), 3]),
    operands: [[operand([2, 4, 3], { shape: ["batch", "time", 3] })]],
  },
  transpose: {
    build: (x) => [t.transpose(x), t.transpose(x, [2, 0, 1])],
    operands: [[operand([2, 3, 4])], [operand([1, 0, 2])]],
  },
  expand: {
    build: (x, y) => [t.expand(x, ["batch", 2, 3]), y],
    operands: [[operand([2, 1]), operand([4], { shape: ["batch"] })]],
  },
  sum: {
    build: (x) => [t.sum(x), t.sum(x, { axes: -1 }), t.sum(x, { axes: [0, 2], keep: true })],
    operands: [[operand([2, 3, 4])], [operand([2, 0, 3])], [operand([1, 1, 1])]],
  },
  max: {
    build: (x) => [t.max(x), t.max(x, { axes: 1 }), t.max(x, { axes: [0, 2], keep: true })],
    operands: [[operand([2, 3, 4])], [operand([1, 2, 1])]],
  },
  softmax: {
    build: (x) => [t.softmax(x), t.softmax(x, 0)],
    operands: [[operand([3, 4])], [operand([1, 1])], [operand([0, 2])]],
  },
  logSoftmax: {
    build: (x) => [t.logSoftmax(x), t.logSoftmax(x, 1)],
    operands: [[operand([2, 3, 4])], [operand([1, 1, 1])]],
  },
  argmax: {
    build: (x) => [t.argmax(x), t.argmax(x, 0)],
    operands: [[operand([3, 4])], [operand([3, 4], { fill: below(2) })]],
    gradient: false,
  },
  topK: {
    build: (x) => [...Object.values(t.topK(x, 2)), ...Object.values(t.topK(x, "rows"))],
    operands: [
      [2, 4],
      [2, 2],
      [3, 6],
    ].map((size) => [operand(size, { shape: ["rows", size[1]!], fill: below(4) })]),
    gradient: false,
  },
  concat: {
    build: (x, y) => [t.concat([x, y], 1), t.concat([x, x], 0)],
    operands: [
      [operand([2, 3]), operand([2, 1])],
      [operand([2, 3], { shape: ["batch", "time"] }), operand([2, 0], { shape: ["batch", "more"] })],
    ],
  },
  slice: {
    build: (x) => [
      t.slice(x, 1, 1, 3),
      t.slice(x, 1, 2, "time"),
      t.slice(x, 1, t.minus("time", 1), "time"),
      t.slice(x, 0, 1, 1),
    ],
    operands: [[operand([2, 5], { shape: [2, "time"] })], [operand([2, 3], { shape: [2, "time"] })]],
  },
  split: {
    build: (x) => t.split(x, -1, [1, 3, 0, 1]).slice(0, 3),
    operands: [[operand([2, 5])], [operand([0, 5])], [operand([2, 3, 5], { shape: ["batch", "time", 5] })]],
  },
  flip: {
    build: (x) => [t.flip(x, 0), t.flip(x, -1)],
    operands: [[operand([3, 2])], [operand([1, 0])], [operand([2, 3], { shape: [2, "time"] })]],
  },
  pad: {
    build: (x) => [t.pad(x, 1, 2, 1), t.pad(x, 0, "batch", 0)],
    operands: [[operand([2, 3], { shape: ["batch", 3] })], [operand([0, 1], { shape: ["batch", 1] })]],
  },
  gather: {
    build: t.gather,
    operands: [
      [operand([5, 3]), operand([2, 4], ids(5))],
      [operand([4]), operand([3], ids(4))],
      [operand([3, 2, 2]), operand([0], ids(3))],
    ],
  },
  scatterAdd: {
    build: (x, i) => t.scatterAdd(x, i, 4),
    operands: [
      [operand([6, 2]), operand([6], ids(4))],
      [operand([0, 2]), operand([0], ids(4))],
    ],
  },
  takeAlong: {
    build: (x, i) => t.takeAlong(x, i),
    operands: [
      [operand([2, 5]), operand([2, 3], ids(5))],
      [operand([2, 5]), operand([2, 0], ids(5))],
    ],
  },
  putAlong: { build: (x, i) => t.putAlong(x, i, 1, 4), operands: [[operand([2, 6, 2]), operand([2, 6, 2], ids(4))]] },
  layerNorm: {
    build: (x, scale, shift) => t.layerNorm(x, scale, shift, 1e-5),
    operands: [
      [operand([2, 3, 5]), operand([5]), operand([5])],
      [operand([0, 3]), operand([3]), operand([3])],
      [operand([2, 4], { shape: ["batch", 4] }), operand([4]), operand([4])],
    ],
  },
  uniform: {
    build: (keys) => [t.uniform(keys, [3, 2], 7), t.uniform(keys, [5], 8)],
    operands: [[operand([4], ids(1 << 30))], [operand([0], ids(9))]],
    gradient: false,
  },
  coins: {
    build: (keys) => [
      t.coins(keys, ["time", 4], 0.3, 7),
      t.coins(keys, [2, "time"], 0.5, 8),
      t.coins(keys, [3], 0.5, 8),
      t.dimension("time"),
    ],
    operands: [[operand([5], { ...ids(1 << 30), shape: ["time"] })]],
    gradient: false,
  },
  scan: {
    // A cumulative product, a running sum of a captured weight's products, and the other direction.
    build: (x, w) => {
      const product = t.scan([t.constant([1, 1], [2])], [x], ([c], [item]) => ({
        carries: [t.mul(c!, item!)],
        stacked: [t.mul(c!, item!)],
      }));
      const chain = t.scan(
        [t.zeros({ shape: [1, 2] })],
        [x],
        ([h], [item]) => {
          const next = t.tanh(t.add(t.matmul(h!, w), t.add(item!, t.sum(w, { axes: 0 }))));
          return { carries: [next], stacked: [t.sum(next)] };
        },
        { reverse: true },
      );
      return [...product.carries, ...product.stacked, ...chain.carries, ...chain.stacked];
    },
    operands: [
      [operand([4, 2], { shape: ["time", 2] }), operand([2, 2])],
      [operand([1, 2], { shape: ["time", 2] }), operand([2, 2])],
    ],
  },
};

describe("every op on the runtime equals its float64 reference, and its gradient equals differences", () => {
  for (const [name, { build, operands, gradient = true }] of Object.entries(cases)) {
    it(name, async () => {
      for (const [i, each] of operands.entries()) await checkFunction(build, each, { seed: i + 1, gradient });
    });
  }

  it("has a case for every op of the table that can stand alone", () => {
    expect(Object.keys(cases).sort()).toEqual(
      Object.keys(opTable)
        .filter((name) => name !== "input" && name !== "step")
        .sort(),
    );
  });
});

describe("matmul", () => {
  for (const transA of [false, true]) {
    for (const transB of [false, true]) {
      it(`reads a${transA ? "ᵀ" : ""} and b${transB ? "ᵀ" : ""}`, async () => {
        const a = transA ? [3, 2] : [2, 3];
        const b = transB ? [4, 3] : [3, 4];
        const build = (x: t.Tensor, y: t.Tensor) => [
          t.matmul(x, y, { transA, transB }),
          t.matmul(x, y, { transA, transB, scale: 0.5 }),
        ];
        await checkFunction(build, [operand(a), operand(b)]);
        await checkFunction(build, [operand([2, ...a]), operand([2, ...b])]);
        await checkFunction(build, [operand([2, ...a]), operand(b)]);
      });
    }
  }
});

describe("composed ops", () => {
  it("logSumExp is safe for large scores and for rows of −∞", async () => {
    await checkFunction(
      (x) => [t.logSumExp(t.mul(x, 100)), t.logSumExp(x, { axes: 0, keep: true })],
      [operand([3, 4])],
    );
    const x = t.constant([1, 2, -Infinity, -Infinity], [2, 2]);
    const [result] = t.runReference([t.logSumExp(x, { axes: 1 })], {});
    expect(result!.data[0]).toBeCloseTo(Math.log(Math.exp(1) + Math.exp(2)), 12);
    expect(result!.data[1]).toBe(-Infinity);
  });

  it("mean divides by named dimensions too", async () => {
    await checkFunction((x) => [t.mean(x), t.mean(x, { axes: 0 })], [operand([3, 4], { shape: ["batch", "time"] })]);
  });

  it("pick and oneHot choose by id", async () => {
    await checkFunction((x, i) => [t.pick(x, i), t.oneHot(i, 5)], [operand([3, 5]), operand([3], ids(5))]);
  });

  it("gatherSmall equals gather, with its gradient", async () => {
    const same = (x: t.Tensor, i: t.Tensor) => t.sub(t.gather(x, i), t.gatherSmall(x, i));
    await checkFunction((x, i) => [same(x, i), t.gatherSmall(x, i)], [operand([5, 3]), operand([2, 4], ids(5))]);
  });
});

describe("errors when a graph is built", () => {
  const x = t.input("x", "float32", ["batch", 3]);
  it.each([
    [
      () => t.matmul(x, t.input("w", "float32", [4, 2])),
      "matmul: columns of a (3) must equal rows of b (4), got float32 [batch, 3] and float32 [4, 2]",
    ],
    [
      () => t.add(x, t.input("b", "float32", [4])),
      "add: shapes must broadcast, got float32 [batch, 3] and float32 [4]",
    ],
    [
      () => t.add(x, t.input("b", "float32", ["time", 3])),
      "add: shapes must broadcast, got float32 [batch, 3] and float32 [time, 3]",
    ],
    [
      () => t.reshape(x, ["batch", 4]),
      "reshape: [batch, 4] must hold as many elements as the operand, got float32 [batch, 3]",
    ],
    [() => t.slice(x, 1, 2, 5), "slice: [2, 5) must lie within axis 1, got float32 [batch, 3]"],
    [() => t.gather(x, x), "gather: needs a table and int32 ids, got float32 [batch, 3] and float32 [batch, 3]"],
    [() => t.gradients(x, [x]), "gradients: the loss must be a scalar, got [batch, 3]"],
  ])("%#", (build, message) => {
    expect(build).toThrow(message);
  });
});
