import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { operand } from "../../test/support/gradients.ts";
import { checkLayer, floats, ints, runLayer } from "../../test/support/layers.ts";
import * as t from "../tensor/index.ts";
import * as nn from "./index.ts";

describe("convolution", () => {
  it("adds up each window, with zeros beyond both ends", async () => {
    const layer = (params: nn.Parameters, x: t.Tensor): t.Tensor => {
      params.declare("c.weight", [3, 1], nn.from([100, 10, 1]));
      params.declare("c.bias", [1], nn.from([0.5]));
      return nn.convolution(params, "c", x, 1, 3);
    };
    const [y] = await runLayer(layer, [floats([2, 3, 1], [1, 2, 3, 4, 5, 6])]);
    expect([...y!.data]).toEqual([12.5, 123.5, 230.5, 45.5, 456.5, 560.5]);
  });

  it("equals differences in its gradient, for kernels wider than the row too", async () => {
    const x = operand([2, 3, 2], { shape: ["rows", "length", 2] });
    for (const kernel of [1, 3, 7]) await checkLayer((params, y) => nn.convolution(params, "c", y!, 2, kernel), [x]);
  });

  it.each([0, 2, 2.5, -1])("refuses a kernel of %d", (kernel) => {
    const x = t.input("x", "float32", [1, 2, 3]);
    expect(() => nn.convolution(new nn.Parameters(), "c", x, 1, kernel)).toThrow(
      `convolution: the kernel must be an odd number, got ${kernel}`,
    );
  });
});

describe("charCnn", () => {
  const options = { rows: 7, width: 3, filters: 4, kernel: 3 };
  const layer = (params: nn.Parameters, ids: t.Tensor, mask: t.Tensor): t.Tensor => {
    // Where only the bias is left, at padding, the sum would be the maximum if it took part.
    params.declare("chars.convolution.weight", [9, 4], (target) => target.fill(-1));
    params.declare("chars.embedding.weight", [7, 3], nn.uniformWithin(1), { decay: false });
    return nn.charCnn(params, "chars", ids, mask, options);
  };
  const run = (words: readonly (readonly number[])[], chars: number, filler: number): Promise<t.Value[]> =>
    runLayer(layer, [
      ints(
        [words.length, chars],
        words.flatMap((word) => [...word, ...new Array<number>(chars - word.length).fill(filler)]),
      ),
      floats(
        [words.length, chars],
        words.flatMap((word) => Array.from({ length: chars }, (_, i) => Number(i < word.length))),
      ),
    ]);

  it("ignores padding: a word alone equals the word in a padded batch", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
        fc.nat({ max: 6 }),
        async (words, filler) => {
          const [together] = await run(words, 6, filler);
          for (const [i, word] of words.entries()) {
            const [alone] = await run([word], word.length, 0);
            alone!.data.forEach((number, k) => {
              expect(together!.data[4 * i + k]).toBeCloseTo(number, 5);
            });
          }
        },
      ),
      { numRuns: 5 },
    );
  });

  it("is 0 for a word without characters", async () => {
    const [y] = await run([[1, 2], []], 2, 3);
    expect([...y!.data.slice(4)]).toEqual([0, 0, 0, 0]);
    expect(Math.max(...y!.data.slice(0, 4).map(Math.abs))).toBeGreaterThan(0);
  });

  it("equals differences in its gradient, with padding and an empty word", async () => {
    const ids = operand([3, 4], { shape: ["words", "chars"], dtype: "int32", fill: (rng) => rng.below(7) });
    const mask = operand([3, 4], { shape: ["words", "chars"], dtype: "bool", fill: (_, i) => Number(i < 6) });
    await checkLayer((params, x, m) => nn.charCnn(params, "chars", x!, t.cast(m!, "float32"), options), [ids, mask]);
  });
});
