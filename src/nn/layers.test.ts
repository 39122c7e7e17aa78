import { describe, expect, it } from "vitest";
import { operand } from "../../test/support/gradients.ts";
import { checkLayer, floats, ints, runLayer, runOnce } from "../../test/support/layers.ts";
import * as t from "../tensor/index.ts";
import * as nn from "./index.ts";

const batchOfVectors = operand([2, 3, 4], { shape: ["batch", "time", 4] });

describe("linear", () => {
  it("is x·W + b, with the weights as [in, out]", async () => {
    const layer = (params: nn.Parameters, x: t.Tensor): t.Tensor => {
      params.declare("l.weight", [2, 3], nn.from([1, 2, 3, 10, 20, 30]));
      params.declare("l.bias", [3], nn.from([0.5, 0, -0.5]));
      return nn.linear(params, "l", x, 3);
    };
    const [y] = await runLayer(layer, [floats([2, 2], [1, 1, 2, -1])]);
    expect([...y!.data]).toEqual([11.5, 22, 32.5, -7.5, -16, -24.5]);
  });

  it("equals differences in its gradient, with a bias and without", async () => {
    await checkLayer((params, x) => nn.linear(params, "l", x!, 3), [batchOfVectors]);
    await checkLayer((params, x) => nn.linear(params, "l", x!, 1, { bias: false }), [operand([1, 4])]);
  });

  it("needs a last axis of fixed width", () => {
    const x = t.input("x", "float32", [2, "width"]);
    expect(() => nn.linear(new nn.Parameters(), "l", x, 3)).toThrow(
      "layer: the last axis must have a fixed width, got width",
    );
  });
});

describe("embedding", () => {
  it("gives the rows that the ids name", async () => {
    const layer = (params: nn.Parameters, ids: t.Tensor): t.Tensor => {
      params.declare("e.weight", [3, 2], nn.from([1, 2, 3, 4, 5, 6]), { decay: false });
      return nn.embedding(params, "e", ids, 3, 2);
    };
    const [y] = await runLayer(layer, [ints([2, 2], [2, 0, 1, 1])]);
    expect([...y!.data]).toEqual([5, 6, 1, 2, 3, 4, 3, 4]);
  });

  it("equals differences in its gradient, repeated ids included", async () => {
    const ids = operand([2, 3], { shape: ["batch", "time"], dtype: "int32", fill: (_, i) => [0, 2, 2, 1, 2, 0][i]! });
    await checkLayer((params, x) => nn.embedding(params, "e", x!, 4, 3), [ids]);
  });
});

describe("normalise", () => {
  it("gives each row mean 0 and variance 1 before it is trained", async () => {
    const [y] = await runLayer(
      (params, x) => nn.normalise(params, "n", x!),
      [floats([2, 4], [1, 2, 3, 4, 10, -10, 30, 7])],
    );
    for (const row of [y!.data.slice(0, 4), y!.data.slice(4)]) {
      expect(row.reduce((a, b) => a + b) / 4).toBeCloseTo(0, 6);
      expect(row.reduce((a, b) => a + b * b, 0) / 4).toBeCloseTo(1, 5);
    }
  });

  it("equals differences in its gradient", async () => {
    await checkLayer((params, x) => nn.normalise(params, "n", x!, 1e-3), [batchOfVectors]);
  });
});

describe("dropout", () => {
  const keys = t.input("keys", "int32", ["batch"]);
  const x = t.input("x", "float32", ["batch", "time", "width"]);
  const drop = (name: string, rate: number, options = {}): t.Tensor => nn.dropout(x, rate, { keys }, name, options);
  const ones = (...shape: number[]): t.Data => floats(shape, new Float32Array(shape.reduce((a, b) => a * b)).fill(1));

  it("keeps the share 1 − rate, scaled up so that the mean stays", async () => {
    const [rate, count] = [0.3, 64 * 50 * 20];
    const [y] = await runOnce([drop("a", rate)], {
      x: ones(64, 50, 20),
      keys: ints(
        [64],
        Array.from({ length: 64 }, (_, i) => i * 7919),
      ),
    });
    const kept = y!.data.filter((number) => number !== 0);
    expect(new Set(kept)).toEqual(new Set([Math.fround(1 / (1 - rate))]));
    const deviation = Math.sqrt(count * rate * (1 - rate));
    expect(Math.abs(kept.length - count * (1 - rate))).toBeLessThan(4 * deviation);
  });

  it("drops neighbours independently, along the row and from row to row", async () => {
    const [y] = await runOnce([drop("a", 0.5)], { x: ones(1, 200, 100), keys: ints([1], [3]) });
    const dropped = Array.from(y!.data, (number) => (number === 0 ? 1 : -1));
    for (const distance of [1, 100]) {
      const product = dropped.slice(distance).reduce((sum, sign, i) => sum + sign * dropped[i]!, 0);
      expect(Math.abs(product)).toBeLessThan(4 * Math.sqrt(dropped.length));
    }
  });

  it("depends on a sentence's key alone: not on its place in the batch, nor on the batch's length", async () => {
    const program = await t.Program.compile({ y: drop("a", 0.5) });
    const run = async (batchKeys: number[], time: number): Promise<Float32Array> => {
      const { y } = await program.run({
        x: ones(batchKeys.length, time, 8),
        keys: ints([batchKeys.length], batchKeys),
      });
      return y!.data as Float32Array;
    };
    const alone = await run([42], 4);
    const second = (await run([7, 42], 9)).slice(9 * 8, 9 * 8 + 4 * 8);
    const other = await run([43], 4);
    await program.dispose();
    expect([...second]).toEqual([...alone]);
    expect([...other]).not.toEqual([...alone]);
  });

  it("of attention shares does not depend on the batch's length either", async () => {
    const shares = t.input("shares", "float32", ["batch", 2, "time", "time"]);
    const program = await t.Program.compile({ y: nn.dropout(shares, 0.5, { keys }, "a") });
    const run = async (time: number): Promise<number[]> => {
      const { y } = await program.run({ shares: ones(1, 2, time, time), keys: ints([1], [42]) });
      const at = (head: number, row: number, column: number): number => y!.data[(head * time + row) * time + column]!;
      return [0, 1].flatMap((head) => [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => at(head, row, column))));
    };
    const [short, long] = [await run(3), await run(8)];
    await program.dispose();
    expect(long).toEqual(short);
    expect(new Set(short).size).toBe(2);
  });

  it("draws anew under another name", async () => {
    const feeds = { x: ones(1, 5, 40), keys: ints([1], [1]) };
    const [a, b, again] = await runOnce([drop("a", 0.5), drop("b", 0.5), drop("a", 0.5)], feeds);
    expect([...again!.data]).toEqual([...a!.data]);
    const same = a!.data.filter((number, i) => number === b!.data[i]).length;
    expect(Math.abs(same - 100)).toBeLessThan(4 * Math.sqrt(200 / 4));
  });

  it("shared, drops the same numbers at all positions of a sentence", async () => {
    const feeds = { x: ones(2, 3, 40), keys: ints([2], [1, 2]) };
    const [y] = await runOnce([drop("a", 0.5, { shared: true })], feeds);
    const rows = Array.from({ length: 6 }, (_, row) => [...y!.data.slice(row * 40, (row + 1) * 40)]);
    expect(rows[1]).toEqual(rows[0]);
    expect(rows[2]).toEqual(rows[0]);
    expect(rows[4]).toEqual(rows[3]);
    expect(rows[3]).not.toEqual(rows[0]);
    expect(new Set(rows[0])).toEqual(new Set([0, 2]));
  });

  it("equals differences in its gradient", async () => {
    const key = operand([2], { shape: ["batch"], dtype: "int32", fill: (_, i) => i + 5 });
    await checkLayer((_, y, k) => nn.dropout(y!, 0.4, { keys: k! }, "a"), [batchOfVectors, key]);
  });

  it("does nothing outside of training or at rate 0, and refuses a rate outside of [0, 1)", () => {
    expect(nn.dropout(x, 0.5, undefined, "a")).toBe(x);
    expect(drop("a", 0)).toBe(x);
    expect(() => drop("a", 1)).toThrow("dropout: rate must lie in [0, 1), got 1");
    expect(() => drop("a", Number.NaN)).toThrow("dropout: rate must lie in [0, 1), got NaN");
  });

  it("of whole words drops all numbers of a token or none, and scales nothing", async () => {
    const y = nn.wordDropout(x, 0.3, { keys }, "a");
    const program = await t.Program.compile({ y });
    const { y: found } = await program.run({
      x: ones(20, 100, 3),
      keys: ints(
        [20],
        Array.from({ length: 20 }, (_, i) => i),
      ),
    });
    const { y: alone } = await program.run({ x: ones(1, 7, 3), keys: ints([1], [5]) });
    await program.dispose();
    const tokens = Array.from({ length: 2000 }, (_, i) => [...found!.data.subarray(3 * i, 3 * i + 3)].join());
    expect(new Set(tokens)).toEqual(new Set(["0,0,0", "1,1,1"]));
    const dropped = tokens.filter((token) => token === "0,0,0").length;
    expect(Math.abs(dropped - 600)).toBeLessThan(4 * Math.sqrt(2000 * 0.3 * 0.7));
    expect([...alone!.data]).toEqual([...found!.data.subarray(5 * 300, 5 * 300 + 21)]);
    expect(nn.wordDropout(x, 0.3, undefined, "a")).toBe(x);
    expect(() => nn.wordDropout(x, 1, { keys }, "a")).toThrow("word dropout: rate must lie in [0, 1), got 1");
  });
});
