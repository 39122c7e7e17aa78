import { describe, expect, it } from "vitest";
import { operand } from "../../../test/support/gradients.ts";
import { checkLayer, floats, ints, runLayer } from "../../../test/support/layers.ts";
import { ParameterStore, Parameters } from "../../nn/index.ts";
import { input, type Tensor } from "../../tensor/index.ts";
import { gaussian, random } from "../../util/random.ts";
import { biaffineScorer } from "./scorers.ts";

const settings = { hidden: 3, dropout: 0, maxWidth: 4, labels: 3, outsideBias: 1.5 };
const positions = (time: number): number[] => Array.from({ length: time }, (_, i) => i);

function scores(params: Parameters, tokens: Tensor, starts: Tensor, ends: Tensor, at: Tensor): Tensor {
  const mask = input("mask", "float32", ["batch", "time"]);
  const spans = { starts, ends, positions: at };
  return biaffineScorer(params, { first: tokens, last: tokens, mask }, spans, settings, undefined).logits;
}

describe("the biaffine scorer", () => {
  it("has the gradient that differences give, for tokens and weights", async () => {
    const int = (size: readonly number[], values: readonly number[]) =>
      operand(size, { dtype: "int32", fill: (_, i) => values[i]! });
    await checkLayer(scores, [
      operand([2, 4, 5]),
      int([2, 3], [0, 1, 2, 0, 3, 1]),
      int([2, 3], [0, 3, 2, 2, 3, 1]),
      int([4], positions(4)),
    ]);
  });

  it("is [x; 1]ᵀ U [y; 1] for each label, summed in plain numbers", async () => {
    const rng = random(4, "biaffine");
    const tokens = Array.from({ length: 4 }, () => Array.from({ length: 5 }, () => gaussian(rng)));
    const params = new Parameters();
    const given = { tokens: input("x", "float32", [1, 4, 5]), ids: input("i", "int32", [1, 2]) };
    scores(params, given.tokens, given.ids, given.ids, input("p", "int32", [4]));
    const store = new ParameterStore(params.specs);
    for (const slot of store.slots) store.view(slot).set(store.view(slot).map(() => gaussian(rng)));
    const layer = (own: Parameters, ...inputs: Tensor[]): Tensor => {
      const declare = own.declare.bind(own);
      own.declare = (name, shape) => declare(name, shape, (target) => target.set(store.get(name)));
      return scores(own, ...(inputs as [Tensor, Tensor, Tensor, Tensor]));
    };
    const [found] = await runLayer(layer, [
      floats([1, 4, 5], tokens.flat()),
      ints([1, 2], [0, 2]),
      ints([1, 2], [1, 2]),
      ints([4], positions(4)),
    ]);
    const project = (name: string, token: number): number[] => {
      const [weight, bias] = [store.get(`${name}.weight`), store.get(`${name}.bias`)];
      const values = [0, 1, 2].map((k) => tokens[token]!.reduce((sum, t, d) => sum + t * weight[d * 3 + k]!, bias[k]!));
      return [...values, 1];
    };
    const expected = [
      [0, 1],
      [2, 2],
    ].flatMap(([start, end]) => {
      const [x, y] = [project("span.start", start!), project("span.end", end!)];
      const u = store.get("span.biaffine");
      return [0, 1, 2].map((label) => {
        let total = 0;
        for (let a = 0; a < 4; a++) for (let b = 0; b < 4; b++) total += x[a]! * u[a * 12 + label * 4 + b]! * y[b]!;
        return total;
      });
    });
    expected.forEach((number, i) => {
      expect(found!.data[i]).toBeCloseTo(number, 4);
    });
  });

  it("starts at zero for every label but O, whose bias is given", async () => {
    const [found] = await runLayer(scores as never, [
      floats([1, 2, 5], positions(10)),
      ints([1, 1], [0]),
      ints([1, 1], [1]),
      ints([2], positions(2)),
    ]);
    expect([...found!.data]).toEqual([1.5, 0, 0]);
  });
});
