import { describe, expect, it } from "vitest";
import { operand } from "../../test/support/gradients.ts";
import { checkLayer, floats, runLayer } from "../../test/support/layers.ts";
import * as t from "../tensor/index.ts";
import { gaussian, random } from "../util/random.ts";
import * as nn from "./index.ts";

const options = { heads: 2, inner: 3, epsilon: 1e-3 };
const x = operand([2, 3, 4], { shape: ["batch", "time", 4] });
const seen = operand([2, 1, 1, 3], { shape: ["batch", 1, 1, "time"], dtype: "bool", fill: (_, i) => Number(i !== 5) });
const biasOf = (marks: t.Tensor): t.Tensor => t.mul(t.sub(1, t.cast(marks, "float32")), -1e4);

describe("attention", () => {
  it("mixes values by the softmax of scaled products, head by head", async () => {
    const identity = nn.from(Array.from({ length: 16 }, (_, i) => Number(i % 5 === 0)));
    const layer = (params: nn.Parameters, y: t.Tensor, bias: t.Tensor): t.Tensor => {
      for (const part of ["query", "key", "value", "output"]) params.declare(`a.${part}.weight`, [4, 4], identity);
      return nn.attention(params, "a", y, bias, { heads: 2, inner: 1 });
    };
    const rows = [
      [1, 2, 0, -1],
      [0.5, 0, 3, 1],
    ];
    const [found] = await runLayer(layer, [floats([1, 2, 4], rows.flat()), floats([1, 1, 1, 2], [0, 0])]);
    rows.forEach((row, i) => {
      for (const head of [0, 1]) {
        const part = (each: readonly number[]): readonly number[] => each.slice(2 * head, 2 * head + 2);
        const scores = rows.map((other) =>
          Math.exp(part(other).reduce((sum, y, k) => sum + y * part(row)[k]!, 0) / Math.SQRT2),
        );
        const total = scores.reduce((a, b) => a + b);
        for (const k of [0, 1]) {
          const mixed = rows.reduce((sum, other, j) => sum + (scores[j]! / total) * part(other)[k]!, 0);
          expect(found!.data[4 * i + 2 * head + k]).toBeCloseTo(mixed, 5);
        }
      }
    });
  });

  it("equals differences in its gradient, with padding", async () => {
    await checkLayer((params, y, marks) => nn.attention(params, "a", y!, biasOf(marks!), options), [x, seen]);
  });

  it("needs a width that its heads divide", () => {
    const y = t.input("y", "float32", ["batch", "time", 5]);
    expect(() => nn.attention(new nn.Parameters(), "a", y, t.scalar(0), options)).toThrow(
      "attention: width 5 must be a multiple of 2 heads",
    );
  });
});

describe("transformerBlock", () => {
  it("equals differences in its gradient, with padding", async () => {
    await checkLayer((params, y, marks) => nn.transformerBlock(params, "b", y!, biasOf(marks!), options), [x, seen], {
      tolerance: 1e-3,
    });
  });

  it("ignores padding, whatever stands there", async () => {
    const rng = random(1, "transformer");
    const numbers = Array.from({ length: 3 * 4 }, () => gaussian(rng));
    const layer = (params: nn.Parameters, y: t.Tensor, bias: t.Tensor): t.Tensor =>
      nn.transformerBlock(params, "b", y, bias, { heads: 2, inner: 8 });
    const [alone] = await runLayer(layer, [floats([1, 3, 4], numbers), floats([1, 1, 1, 3], [0, 0, 0])]);
    const [padded] = await runLayer(layer, [
      floats([1, 5, 4], [...numbers, ...new Array<number>(8).fill(50)]),
      floats([1, 1, 1, 5], [0, 0, 0, -1e4, -1e4]),
    ]);
    alone!.data.forEach((number, i) => {
      expect(padded!.data[i]).toBeCloseTo(number, 5);
    });
  });

  it("drops in training, the same for the same keys, and not otherwise", async () => {
    const keys = t.constant([1], [1], "int32");
    const layer = (noise?: nn.Noise) => (params: nn.Parameters, y: t.Tensor, bias: t.Tensor) =>
      nn.transformerBlock(params, "b", y, bias, { heads: 2, inner: 8, dropout: 0.5, attentionDropout: 0.5, noise });
    const inputs = [floats([1, 2, 4], [1, 2, 3, 4, 5, 6, 7, 9]), floats([1, 1, 1, 2], [0, 0])];
    const [still] = await runLayer(layer(), inputs);
    const [trained] = await runLayer(layer({ keys }), inputs);
    const [again] = await runLayer(layer({ keys }), inputs);
    expect([...trained!.data]).not.toEqual([...still!.data]);
    expect([...again!.data]).toEqual([...trained!.data]);
  });
});
