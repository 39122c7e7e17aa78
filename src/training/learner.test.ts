import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Table } from "../encoders/index.ts";
import { dropout, from, linear, lstm, normal, Parameters } from "../nn/index.ts";
import * as t from "../tensor/index.ts";
import { DivergedError } from "../util/diverged.ts";
import { gaussian, random } from "../util/random.ts";
import { readSafetensors, writeSafetensors } from "../util/safetensors.ts";
import { Learner, type LearnerOptions, type StepResult } from "./learner.ts";
import { adamw, type OptimiserStep } from "./optimiser.ts";

const options = (rate: number, runtime: t.RuntimeOptions = {}): LearnerOptions => ({
  seed: 1,
  optimiser: adamw(),
  group: () => ({ rate, decay: 0 }),
  clip: 5,
  runtime,
});

interface Model {
  readonly loss: t.Tensor;
  readonly params: Parameters;
}

async function learnerOf({ loss, params }: Model, rate: number, runtime?: t.RuntimeOptions): Promise<Learner> {
  return Learner.create(loss, params, [], options(rate, runtime));
}

describe("a small network learns", () => {
  it("a parity of two signs to zero error", async () => {
    const params = new Parameters();
    const x = t.input("x", "float32", ["batch", 2]);
    const y = t.input("y", "int32", ["batch"]);
    const logits = linear(params, "out", t.tanh(linear(params, "hidden", x, 8)), 2);
    const loss = t.neg(t.mean(t.pick(t.logSoftmax(logits), y)));
    const learner = await learnerOf({ loss, params }, 0.05);
    const rng = random(7, "parity");
    const data = Float32Array.from({ length: 128 }, () => gaussian(rng));
    const labels = Int32Array.from({ length: 64 }, (_, i) => (data[2 * i]! > 0 !== data[2 * i + 1]! > 0 ? 1 : 0));
    const feeds = { x: { data, shape: [64, 2] }, y: { data: labels, shape: [64] } };
    for (let i = 0; i < 400; i++) await learner.step({ feeds, lookups: [] }, 1);
    const program = await t.Program.compile({ best: t.argmax(logits) });
    const { best } = await program.run({ ...learner.store.tensors(), x: feeds.x });
    expect([...best!.data]).toEqual([...labels]);
  });

  it("to repeat the first symbol of a sequence at its end, by an LSTM", async () => {
    const params = new Parameters();
    const [length, symbols] = [8, 3];
    const ids = t.input("ids", "int32", ["batch", "time"]);
    const mask = t.input("mask", "float32", ["batch", "time"]);
    const first = t.input("first", "int32", ["batch"]);
    const states = lstm(params, "lstm", t.oneHot(ids, symbols), mask, 16);
    const last = t.reshape(t.slice(states, 1, t.minus("time", 1), "time"), ["batch", 16]);
    const logits = linear(params, "out", last, symbols);
    const learner = await learnerOf({ loss: t.neg(t.mean(t.pick(t.logSoftmax(logits), first))), params }, 0.02);
    const draw = (seed: number) => {
      const rng = random(seed, "copy");
      const data = Int32Array.from({ length: 32 * length }, () => rng.below(symbols));
      return {
        ids: { data, shape: [32, length] },
        mask: { data: new Float32Array(32 * length).fill(1), shape: [32, length] },
        first: { data: Int32Array.from({ length: 32 }, (_, b) => data[b * length]!), shape: [32] },
      };
    };
    for (let i = 0; i < 250; i++) await learner.step({ feeds: draw(i), lookups: [] }, 1);
    const program = await t.Program.compile({ best: t.argmax(logits) });
    const { first: expected, ...unseen } = draw(9999);
    const { best } = await program.run({ ...learner.store.tensors(), ...unseen });
    expect([...best!.data]).toEqual([...expected.data]);
  });
});

/** A model with every part whose order of additions could depend on threads. */
function noisyModel(): Model {
  const params = new Parameters();
  const x = t.input("x", "float32", ["batch", "time", 24]);
  const ids = t.input("ids", "int32", ["batch", "time"]);
  const mask = t.input("mask", "float32", ["batch", "time"]);
  const noise = { keys: t.input("noise", "int32", ["batch"]) };
  const rows = t.gather(params.declare("table", [50, 24], normal(1)), ids);
  const states = lstm(params, "lstm", dropout(t.add(x, rows), 0.3, noise, "in"), mask, 32);
  return { loss: t.mean(t.logSumExp(linear(params, "out", states, 64), { axes: -1 })), params };
}

function noisyBatch(step: number): { feeds: Record<string, t.Data>; lookups: [] } {
  const rng = random(step, "batch");
  const [batch, time] = [16, 5 + (step % 4)];
  return {
    lookups: [],
    feeds: {
      x: { data: Float32Array.from({ length: batch * time * 24 }, () => gaussian(rng)), shape: [batch, time, 24] },
      ids: { data: Int32Array.from({ length: batch * time }, () => rng.below(50)), shape: [batch, time] },
      mask: {
        data: Float32Array.from({ length: batch * time }, (_, i) => (i % time < 4 ? 1 : 0)),
        shape: [batch, time],
      },
      noise: { data: Int32Array.from({ length: batch }, () => rng.uint32() | 0), shape: [batch] },
    },
  };
}

const bytes = ({ store: { data } }: Learner): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength);

describe("fifty steps", () => {
  const train = async (learner: Learner, from: number, to: number): Promise<void> => {
    for (let i = from; i < to; i++) await learner.step(noisyBatch(i), 1);
  };

  it("give the same bits on one thread and on two", async () => {
    const [one, two] = [
      await learnerOf(noisyModel(), 0.01, { threads: 1 }),
      await learnerOf(noisyModel(), 0.01, { threads: 2 }),
    ];
    await train(one, 0, 50);
    await train(two, 0, 50);
    expect(bytes(one).equals(bytes(two))).toBe(true);
  });

  it("give the same bits after stop, save, load and resume", async () => {
    const folder = await mkdtemp(join(tmpdir(), "lacuna-"));
    try {
      const whole = await learnerOf(noisyModel(), 0.01);
      await train(whole, 0, 50);
      const half = await learnerOf(noisyModel(), 0.01);
      await train(half, 0, 23);
      const stores = [half.store, ...half.moments];
      const file = join(folder, "state.safetensors");
      await writeSafetensors(file, Object.assign({}, ...stores.map((store, i) => store.tensors(`${i} `))));
      const rest = await learnerOf(noisyModel(), 0.01);
      const saved = readSafetensors(file);
      [rest.store, ...rest.moments].forEach((store, i) => {
        for (const [name, { data }] of Object.entries(store.tensors(`${i} `))) data.set(saved.get(name)!.data);
      });
      rest.updates = half.updates;
      await train(rest, 23, 50);
      expect(bytes(rest).equals(bytes(whole))).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("a table outside of the graph", () => {
  const table = () => ({ name: "rows", width: 2, values: Float32Array.of(0, 0, 1, 2, 3, 4, 5, 6), trainable: true });
  const build = (): Model => {
    const params = new Parameters();
    const rows = t.input("rows", "float32", ["time", 2]);
    return { params, loss: t.sum(t.mul(rows, params.declare("w", [2], from([1, -1])))) };
  };

  const step = async (rows: Table): Promise<StepResult> => {
    const { loss, params } = build();
    const plain = { ...options(0.1), optimiser: { moments: 0, update: descend }, clip: 100 };
    const learner = await Learner.create(loss, params, [rows], plain);
    const ids = Int32Array.of(1, 3, 1, 0);
    const data = Float32Array.from([...ids].flatMap((id) => [...rows.values.subarray(2 * id, 2 * id + 2)]));
    return learner.step(
      { feeds: { rows: { data, shape: [4, 2] } }, lookups: [{ table: rows, input: "rows", rows: ids }] },
      1,
    );
  };

  it("gets the sum of the gradients of equal rows, and only touched rows move", async () => {
    const rows = table();
    await step(rows);
    expect([...rows.values].map((x) => Math.round(1000 * x) / 1000)).toEqual([0, 0, 0.8, 2.2, 3, 4, 4.9, 6.1]);
  });

  it("stays as it is when it is not trained, and does not count in the norm", async () => {
    const rows = { ...table(), trainable: false };
    const { norm } = await step(rows);
    expect([...rows.values]).toEqual([...table().values]);
    // The gradient of w is the sum of the rows: 1 + 5 + 1 + 0 and 2 + 6 + 2 + 0.
    expect(norm).toBeCloseTo(Math.hypot(7, 10), 5);
  });
});

function descend({ params, grads, start, end, rate, scale }: OptimiserStep): void {
  for (let i = start; i < end; i++) params[i]! -= rate * scale * grads[i]!;
}

describe("a loss that is not a number", () => {
  it("names the step and leaves the last good state", async () => {
    const params = new Parameters();
    const x = t.input("x", "float32", []);
    const w = params.declare("w", [], from([2]));
    const learner = await learnerOf({ loss: t.log(t.mul(w, x)), params }, 0.1);
    const feed = (number: number) => ({ feeds: { x: { data: Float32Array.of(number), shape: [] } }, lookups: [] });
    await learner.step(feed(1), 1);
    const good = [...learner.store.data];
    await expect(learner.step(feed(-1), 1)).rejects.toThrow(DivergedError);
    await expect(learner.step(feed(-1), 1)).rejects.toThrow("at step 2; the last good state is kept");
    expect([...learner.store.data]).toEqual(good);
  });
});
