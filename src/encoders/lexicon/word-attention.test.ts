import { describe, expect, it } from "vitest";
import { operand } from "../../../test/support/gradients.ts";
import { checkLayer, floats, runLayer } from "../../../test/support/layers.ts";
import { from, ParameterStore, type Parameters } from "../../nn/index.ts";
import { cast, type Tensor } from "../../tensor/index.ts";
import { adapter } from "./lebert.ts";
import { dot, mixture, plainLayers, plus, softmax } from "./plain.suite.ts";
import { wordAttention } from "./word-attention.ts";

const states = operand([2, 3, 4], { shape: ["rows", "positions", 4] });
const words = operand([2, 2, 3], { shape: ["rows", "words", 3] });
/** The second position of the first row has no word, the third both. */
const at = operand([2, 3, 2], {
  shape: ["rows", "positions", "words"],
  dtype: "bool",
  fill: (_, i) => [1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 0][i]!,
});

describe("the attention to words", () => {
  it("weighs the words at a position by a bilinear form, and is 0 without words, in a case done by hand", async () => {
    const layer = (params: Parameters, x: Tensor, w: Tensor, a: Tensor): Tensor => {
      params.declare("a.weight", [2, 2], from([0, 1, 2, 0]));
      return wordAttention(params, "a", x, w, a);
    };
    const [y] = await runLayer(layer, [
      floats([1, 3, 2], [1, 1, 5, 5, -7, 3]),
      floats([1, 2, 2], [1, 0, 0, 1]),
      floats([1, 3, 2], [1, 1, 0, 0, 0, 1]),
    ]);
    // State (1, 1): the form makes it (2, 1), so the words score 2 and 1.
    const share = Math.exp(2) / (Math.exp(2) + Math.exp(1));
    [share, 1 - share, 0, 0, 0, 1].forEach((number, i) => {
      expect(y!.data[i]).toBeCloseTo(number, 6);
    });
  });

  it("equals differences in its gradient", async () => {
    await checkLayer((params, x, w, a) => wordAttention(params, "a", x!, w!, cast(a!, "float32")), [states, words, at]);
  });
});

describe("the adapter", () => {
  const layer = (params: Parameters, x: Tensor, w: Tensor, a: Tensor): Tensor =>
    adapter(params, "lebert", x, w, a, 0, undefined);

  it("equals a second implementation: two layers, attention, sum and norm", async () => {
    const [x, w, a] = [
      [
        [0.5, -1, 2, 0.25],
        [1, 0, -0.5, 3],
      ],
      [
        [1, -2, 0.5],
        [0.3, 0.7, -1],
      ],
      [
        [1, 1],
        [0, 1],
      ],
    ] as const;
    let declared: Parameters | undefined;
    const [y] = await runLayer(
      (params, ...inputs) => {
        declared = params;
        return layer(params, inputs[0]!, inputs[1]!, inputs[2]!);
      },
      [floats([1, 2, 4], x.flat()), floats([1, 2, 3], w.flat()), floats([1, 2, 2], a.flat())],
    );
    const plain = plainLayers(new ParameterStore(declared!.specs).initialise(1));
    const inner = plain.linear(w, "lebert.inner").map((row) => row.map(Math.tanh));
    const wide = plain.linear(inner, "lebert.outer");
    const form = plain.rows("lebert.attention.weight");
    const mixed = x.map((state, i) => {
      const there = wide.filter((_, k) => a[i]![k] === 1);
      const scores = there.map((word) =>
        dot(
          state,
          form.map((line) => dot(line, word)),
        ),
      );
      return mixture(softmax(scores), there);
    });
    const expected = plain.normalise(plus(x, mixed), "lebert.norm", 1e-12).flat();
    expected.forEach((number, i) => {
      expect(y!.data[i]).toBeCloseTo(number, 5);
    });
  });

  it("equals differences in its gradient", async () => {
    await checkLayer((params, x, w, a) => layer(params, x!, w!, cast(a!, "float32")), [states, words, at], {
      tolerance: 1e-3,
    });
  });
});
