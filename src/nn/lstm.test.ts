import { describe, expect, it } from "vitest";
import { operand } from "../../test/support/gradients.ts";
import { checkLayer, floats, runOnce } from "../../test/support/layers.ts";
import * as t from "../tensor/index.ts";
import { gaussian, random } from "../util/random.ts";
import * as nn from "./index.ts";

type Matrix = readonly (readonly number[])[];

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));

/** The equations of the LSTM, unit by unit in float64. `weights` are [width][4 units], [units][4 units] and [4 units]. */
function plainLstm(rows: Matrix, input: Matrix, recurrent: Matrix, bias: readonly number[]): number[][] {
  const units = recurrent.length;
  let state = new Array<number>(units).fill(0);
  let cell = [...state];
  return rows.map((row) => {
    const gate = (k: number): number =>
      bias[k]! +
      row.reduce((sum, x, i) => sum + x * input[i]![k]!, 0) +
      state.reduce((sum, h, i) => sum + h * recurrent[i]![k]!, 0);
    const sums = bias.map((_, k) => gate(k));
    cell = cell.map((c, u) => logistic(sums[units + u]!) * c + logistic(sums[u]!) * Math.tanh(sums[3 * units + u]!));
    state = cell.map((c, u) => logistic(sums[2 * units + u]!) * Math.tanh(c));
    return state;
  });
}

const matrix = (data: ArrayLike<number>, columns: number, from = 0, width = columns): Matrix =>
  Array.from({ length: data.length / columns }, (_, row) =>
    Array.from({ length: width }, (_, column) => data[row * columns + from + column]!),
  );

const [width, units] = [3, 4];
const lengths = [5, 2, 1];
const time = Math.max(...lengths);

/** A batch with noise in the padding, and the layer's weights. */
function setting(layer: typeof nn.lstm) {
  const params = new nn.Parameters();
  const x = t.input("x", "float32", ["batch", "time", width]);
  const mask = t.input("mask", "float32", ["batch", "time"]);
  const output = layer(params, "l", x, mask, units);
  const rng = random(3, "lstm");
  const store = new nn.ParameterStore(params.specs).initialise(1);
  store.data.forEach((_, i) => {
    store.data[i] = gaussian(rng);
  });
  const numbers = Float32Array.from({ length: lengths.length * time * width }, () => gaussian(rng));
  const marks = lengths.flatMap((length) => Array.from({ length: time }, (_, token) => Number(token < length)));
  const sentence = (i: number): Matrix =>
    matrix(numbers.subarray(i * time * width, (i * time + lengths[i]!) * width), width);
  const feeds = {
    ...store.tensors(),
    x: floats([lengths.length, time, width], numbers),
    mask: floats([lengths.length, time], marks),
  };
  return { output, store, sentence, feeds };
}

function expectRows(found: t.Value, sentence: number, expected: Matrix, columns: number): void {
  for (let token = 0; token < time; token++) {
    for (let unit = 0; unit < columns; unit++) {
      const number = found.data[(sentence * time + token) * columns + unit]!;
      if (token < expected.length) expect(number).toBeCloseTo(expected[token]![unit]!, 5);
      else expect(Math.abs(number)).toBe(0);
    }
  }
}

describe("lstm", () => {
  it("equals its equations for every sentence of a padded batch, and is 0 at padding", async () => {
    const { output, store, sentence, feeds } = setting(nn.lstm);
    const [found] = await runOnce([output], feeds);
    const weights = [matrix(store.get("l.input"), 4 * units), matrix(store.get("l.recurrent"), 4 * units)] as const;
    lengths.forEach((_, i) => {
      expectRows(found!, i, plainLstm(sentence(i), ...weights, [...store.get("l.bias")]), units);
    });
  });

  it("equals differences in its gradient, with padding", async () => {
    const x = operand([2, 3, 2], { shape: ["batch", "time", 2] });
    const mask = operand([2, 3], { shape: ["batch", "time"], dtype: "bool", fill: (_, i) => Number(i !== 5) });
    await checkLayer((params, y, m) => nn.lstm(params, "l", y!, t.cast(m!, "float32"), 2), [x, mask]);
  });

  it("starts with open forget gates and all other biases at 0", () => {
    const bias = setting(nn.lstm).store.initialise(1).get("l.bias");
    expect([...bias]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
  });
});

describe("bilstm", () => {
  it("equals two plain ones, the second over the reversed sentence without its padding", async () => {
    const { output, store, sentence, feeds } = setting(nn.bilstm);
    const [found] = await runOnce([output], feeds);
    const size = 4 * units;
    const recurrent = store.get("l.recurrent");
    const [left, right] = [0, 1].map((k) => ({
      input: matrix(store.get("l.input"), 2 * size, k * size, size),
      recurrent: matrix(recurrent.subarray(k * units * size, (k + 1) * units * size), size),
      bias: [...store.get("l.bias").subarray(k * size, (k + 1) * size)],
    }));
    lengths.forEach((_, i) => {
      const forward = plainLstm(sentence(i), left!.input, left!.recurrent, left!.bias);
      const backward = plainLstm([...sentence(i)].reverse(), right!.input, right!.recurrent, right!.bias).reverse();
      expectRows(
        found!,
        i,
        forward.map((row, token) => [...row, ...backward[token]!]),
        2 * units,
      );
    });
  });

  it("equals differences in its gradient, with padding", async () => {
    const x = operand([2, 3, 2], { shape: ["batch", "time", 2] });
    const mask = operand([2, 3], { shape: ["batch", "time"], dtype: "bool", fill: (_, i) => Number(i < 4) });
    await checkLayer((params, y, m) => nn.bilstm(params, "l", y!, t.cast(m!, "float32"), 2), [x, mask]);
  });
});
