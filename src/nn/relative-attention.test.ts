import { describe, expect, it } from "vitest";
import { operand } from "../../test/support/gradients.ts";
import { checkLayer, floats, ints, runLayer } from "../../test/support/layers.ts";
import * as t from "../tensor/index.ts";
import * as nn from "./index.ts";

describe("relative attention", () => {
  it("adds content and position, each with its own bias on the query, in a case done by hand", async () => {
    // One head of width 2; query (1, 0), keys a = (1, 0) and b = (0, 1), relations x = (0, 2) and y = (1, 0).
    const identity = [1, 0, 0, 1];
    const layer = (params: nn.Parameters, query: t.Tensor, keys: t.Tensor, vectors: t.Tensor, pairs: t.Tensor) => {
      for (const part of ["query", "key", "relation", "value"])
        params.declare(`a.${part}.weight`, [2, 2], nn.from(identity));
      params.declare("a.u", [1, 2], nn.from([0, 3]));
      params.declare("a.v", [1, 2], nn.from([0, 1]));
      return nn.relativeAttention(params, "a", query, keys, { vectors, pairs }, t.constant([0]), 1);
    };
    const [y] = await runLayer(layer, [
      floats([1, 1, 2], [1, 0]),
      floats([1, 2, 2], [1, 0, 0, 1]),
      floats([2, 2], [0, 2, 1, 0]),
      ints([1, 1, 2], [0, 1]),
    ]);
    // a: (1, 3)·(1, 0) + (1, 1)·(0, 2) = 3;  b: (1, 3)·(0, 1) + (1, 1)·(1, 0) = 4.
    const share = Math.exp(3) / (Math.exp(3) + Math.exp(4));
    expect(y!.data[0]).toBeCloseTo(share, 6);
    expect(y!.data[1]).toBeCloseTo(1 - share, 6);
  });

  const batch = operand([2, 2, 4], { shape: ["batch", "time", 4] });
  const keys = operand([2, 3, 4], { shape: ["batch", "nodes", 4] });
  const vectors = operand([5, 4], { shape: ["relations", 4] });
  const pairs = operand([2, 2, 3], { shape: ["batch", "time", "nodes"], dtype: "int32", fill: (rng) => rng.below(5) });
  const hidden = operand([2, 1, 1, 3], {
    shape: ["batch", 1, 1, "nodes"],
    dtype: "bool",
    fill: (_, i) => Number(i === 5),
  });
  const biasOf = (mask: t.Tensor): t.Tensor => t.mul(t.cast(mask, "float32"), -1e9);

  it("equals differences in its gradient, with a key that is hidden", async () => {
    await checkLayer(
      (params, q, k, r, p, m) => nn.relativeAttention(params, "a", q!, k!, { vectors: r!, pairs: p! }, biasOf(m!), 2),
      [batch, keys, vectors, pairs, hidden],
    );
  });

  it("stands in a block whose gradient equals differences", async () => {
    await checkLayer(
      (params, q, k, r, p, m) =>
        nn.relativeBlock(params, "b", q!, k!, { vectors: r!, pairs: p! }, biasOf(m!), { heads: 2, inner: 3 }),
      [batch, keys, vectors, pairs, hidden],
      { tolerance: 1e-3 },
    );
  });

  it("refuses a width that heads do not divide", () => {
    const x = t.input("x", "float32", [1, 2, 3]);
    const relations = { vectors: t.input("r", "float32", [1, 3]), pairs: t.input("p", "int32", [1, 2, 2]) };
    expect(() => nn.relativeAttention(new nn.Parameters(), "a", x, x, relations, t.constant([0]), 2)).toThrow(
      "attention: width 3 must be a multiple of 2 heads",
    );
  });
});
