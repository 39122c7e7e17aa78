import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InputError } from "../../util/errors.ts";
import {
  add,
  type Data,
  type Device,
  gradients,
  input,
  matmul,
  mul,
  Program,
  reshape,
  sum,
  tanh,
  times,
} from "../index.ts";

const floats = (shape: readonly number[], fill: (index: number) => number = (i) => i): Data<Float32Array> => ({
  shape,
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => fill(i)),
});

describe("a program", () => {
  const x = input("x", "float32", ["batch", "time", 2]);
  const ids = input("ids", "int32", ["batch"]);
  let program: Program;
  beforeAll(async () => {
    program = await Program.compile({
      twice: mul(x, 2),
      rows: reshape(x, [times("batch", "time"), 2]),
      total: sum(x),
      next: add(ids, 1),
    });
  });
  afterAll(() => program.dispose());
  const feeds = (batch: number, time: number): Record<string, Data> => ({
    x: floats([batch, time, 2]),
    ids: { shape: [batch], data: new Int32Array(batch) },
  });

  it("runs for any batch and length", async () => {
    for (const [batch, time] of [
      [1, 1],
      [3, 2],
      [2, 5],
      [0, 3],
    ] as const) {
      const { rows, total } = await program.run(feeds(batch, time));
      const count = batch * time * 2;
      expect(rows!.shape).toEqual([batch * time, 2]);
      expect([...rows!.data]).toEqual(Array.from({ length: count }, (_, i) => i));
      expect(total!.data[0]).toBeCloseTo((count * (count - 1)) / 2, 12);
    }
  });

  it("writes an output into the array that it is given, and nowhere else in it", async () => {
    const memory = new Float32Array(10).fill(-1);
    const target = { data: memory.subarray(3, 7), shape: [1, 2, 2] };
    const { twice } = await program.run(feeds(1, 2), { twice: target });
    expect([...memory]).toEqual([-1, -1, -1, 0, 2, 4, 6, -1, -1, -1]);
    expect([...twice!.data]).toEqual([0, 2, 4, 6]);
  });

  it("may write onto its own input", async () => {
    const own = floats([1, 2, 2], (i) => i + 1);
    await program.run({ ...feeds(1, 2), x: own }, { twice: own });
    expect([...own.data]).toEqual([2, 4, 6, 8]);
  });

  it.each([
    [
      "a missing input",
      { ids: { shape: [1], data: new Int32Array(1) } },
      'run: no value for input "x" of shape [batch, time, 2]',
    ],
    [
      "another number of axes",
      { ...feeds(1, 1), x: floats([1, 2]) },
      'run: input "x" must have shape [batch, time, 2], got [1, 2]',
    ],
    [
      "another width",
      { ...feeds(1, 1), x: floats([1, 1, 3]) },
      'run: input "x" must have shape [batch, time, 2] with batch = 1, time = 1, got [1, 1, 3]',
    ],
    [
      "a named dimension of two sizes",
      { ...feeds(2, 1), ids: { shape: [3], data: new Int32Array(3) } },
      'run: input "ids" must have shape [batch] with batch = 2, time = 1, got [3]',
    ],
    [
      "another type",
      { ...feeds(2, 1), ids: { shape: [2], data: new Float32Array(2) } },
      'run: input "ids" must be a Int32Array of 2 numbers, got Float32Array of 2',
    ],
    [
      "too few numbers",
      { ...feeds(2, 1), x: { shape: [2, 1, 2], data: new Float32Array(3) } },
      'run: input "x" must be a Float32Array of 4 numbers, got Float32Array of 3',
    ],
  ])("refuses %s", async (_, wrong: Record<string, Data>, message) => {
    await expect(program.run(wrong)).rejects.toThrow(message);
  });

  it.each([
    ["unknown outputs", { twise: floats([1, 1, 2]) }, 'run: no output "twise" (known: twice, rows, total, next)'],
    [
      "another shape",
      { twice: floats([2]) },
      'run: output "twice" is float32 [1, 1, 2], its target is [2] with 2 numbers',
    ],
    [
      "too few numbers",
      { rows: { shape: [1, 2], data: new Float32Array(1) } },
      'run: output "rows" is float32 [1, 2], its target is [1, 2] with 1 numbers',
    ],
    ["whole numbers", { next: floats([1]) }, 'run: output "next" is int32 [1], its target is [1] with 1 numbers'],
  ])("refuses targets: %s", async (_, into, message) => {
    await expect(program.run(feeds(1, 1), into as Record<string, Data<Float32Array>>)).rejects.toThrow(message);
  });
});

describe("compiling a program", () => {
  const x = input("x", "float32", [2]);

  it("names the devices there are when one is unknown", async () => {
    const compiled = Program.compile({ y: x }, { device: "tpu" as Device });
    await expect(compiled).rejects.toThrow(InputError);
    await expect(compiled).rejects.toThrow(/^device: "tpu" is not available here \(available: cpu(, \w+)*\)$/);
  });

  it.each([0, -1, 1.5])("refuses %d threads", async (threads) => {
    await expect(Program.compile({ y: x }, { threads })).rejects.toThrow(
      `threads: must be a whole number of at least 1, got ${threads}`,
    );
  });
});

describe("memory", () => {
  it("does not grow by more than 50 MB in 500 steps after the first 50", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const x = input("x", "float32", ["batch", 256]);
    const weight = input("weight", "float32", [256, 256]);
    const hidden = tanh(matmul(x, weight));
    const loss = sum(mul(hidden, hidden));
    const program = await Program.compile({ loss, hidden, grad: gradients(loss, [weight])[0]! });
    const [params, grads] = [floats([256, 256], (i) => Math.sin(i) / 16), floats([256, 256])];
    const batches = [64, 65, 80, 31].map((batch) => floats([batch, 256], Math.cos));
    const resident = (): number => {
      collect();
      return process.memoryUsage().rss / 2 ** 20;
    };
    let before = 0;
    for (let step = 0; step < 550; step++) {
      if (step === 50) before = resident();
      await program.run({ x: batches[step % batches.length]!, weight: params }, { grad: grads });
      params.data[step]! -= 1e-4 * grads.data[step]!;
    }
    const growth = resident() - before;
    await program.dispose();
    expect(growth).toBeLessThan(50);
  });
});
