import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bilstm, Parameters, transformerBlock } from "../src/nn/index.ts";
import { type Data, input, mean, pow, type Tensor } from "../src/tensor/index.ts";
import { Learner } from "../src/training/learner.ts";
import { adamw } from "../src/training/optimiser.ts";
import { simdArrays } from "../src/training/simd.ts";
import { type Bench, bestSeconds, type Report } from "./harness.ts";
import { normalData, peakFlops } from "./peak.ts";

const transformer = { layers: 6, width: 384, inner: 1536, heads: 12 };
const recurrent = { width: 256, units: 256 };

/** Training steps of the engine: forward, backward, clipping and AdamW. */
export const engine: Bench = {
  prefix: "engine",
  async run(report) {
    const peak = await peakFlops();
    report.figure("engine.peak", peak / 1e9, "GFLOPS");
    const ours = { transformer: 0, bilstm: 0 };
    if (wantsAny(report, ["engine.transformer-step", "engine.transformer-ms", "engine.peer"])) {
      ours.transformer = await transformerStep(32, 32);
      report.figure("engine.transformer-step", transformerFlops(32, 32) / ours.transformer / peak, "of peak");
      report.figure("engine.transformer-ms", 1000 * ours.transformer, "ms");
    }
    if (wantsAny(report, ["engine.bilstm-step", "engine.peer"])) {
      ours.bilstm = await bilstmStep(32, 40);
      report.figure("engine.bilstm-step", 1000 * ours.bilstm, "ms");
    }
    if (report.wants("engine.linear")) await growth(report);
    if (report.wants("engine.adamw")) adamwBandwidth(report);
    if (report.wants("engine.peer")) await beside(ours, report);
  },
};

function wantsAny(report: Report, names: readonly string[]): boolean {
  return names.some((name) => report.wants(name));
}

async function stepSeconds(
  build: (params: Parameters) => Tensor,
  feeds: Record<string, Data>,
  runs: number,
): Promise<number> {
  const params = new Parameters();
  const loss = build(params);
  const group = (_: string, decays: boolean) => ({ rate: 1e-5, decay: decays ? 0.01 : 0 });
  const learner = await Learner.create(loss, params, [], { seed: 1, optimiser: adamw(), group, clip: 1 });
  const seconds = await bestSeconds(runs, async () => {
    await learner.step({ feeds, lookups: [] }, 1);
  });
  await learner.dispose();
  return seconds;
}

function transformerStep(batch: number, time: number): Promise<number> {
  const { layers, width, inner, heads } = transformer;
  const x = input("x", "float32", ["batch", "time", width]);
  const bias = input("bias", "float32", ["batch", 1, 1, "time"]);
  const build = (params: Parameters): Tensor => {
    let states: Tensor = x;
    for (let layer = 0; layer < layers; layer++)
      states = transformerBlock(params, `layer.${layer}`, states, bias, { heads, inner });
    return mean(pow(states, 2));
  };
  const feeds = {
    x: normalData([batch, time, width]),
    bias: { data: new Float32Array(batch * time), shape: [batch, 1, 1, time] },
  };
  return stepSeconds(build, feeds, 8);
}

/** Products of the forward pass, twice that for the backward pass. */
function transformerFlops(batch: number, time: number): number {
  const { layers, width, inner } = transformer;
  const tokens = batch * time;
  return 3 * layers * (2 * tokens * (4 * width * width + 2 * width * inner) + 4 * tokens * time * width);
}

function bilstmStep(batch: number, time: number): Promise<number> {
  const { width, units } = recurrent;
  const x = input("x", "float32", ["batch", "time", width]);
  const mask = input("mask", "float32", ["batch", "time"]);
  const build = (params: Parameters): Tensor => mean(pow(bilstm(params, "lstm", x, mask, units), 2));
  const feeds = {
    x: normalData([batch, time, width]),
    mask: { data: new Float32Array(batch * time).fill(1), shape: [batch, time] },
  };
  return stepSeconds(build, feeds, 15);
}

/** Cost per token at three sizes, as a multiple of the smallest: 1 is linear growth. */
async function growth(report: Report): Promise<void> {
  const sizes = [8, 32, 128];
  const perToken: number[] = [];
  for (const batch of sizes) perToken.push((await transformerStep(batch, 32)) / (batch * 32));
  sizes.forEach((batch, i) => {
    report.figure(
      `engine.linear.${batch * 32}-tokens`,
      perToken[i]! / perToken[0]!,
      "× cost per token of the smallest",
    );
  });
}

/** Parameters, gradient and two moments are read, all but the gradient written: seven passes of four bytes. */
function adamwBandwidth(report: Report): void {
  const size = 20_000_000;
  const { arrays, kernels } = simdArrays(size, 4);
  for (const array of arrays) array.fill(0.5);
  const [params, grads, ...moments] = arrays as [Float32Array, Float32Array, ...Float32Array[]];
  const step = { params, grads, moments, kernels, start: 0, end: size, rate: 1e-3, decay: 0.01, scale: 1, count: 1 };
  const optimiser = adamw();
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 8; i++) {
    const start = performance.now();
    optimiser.update(step);
    best = Math.min(best, performance.now() - start);
  }
  report.figure("engine.adamw", (7 * 4 * size) / best / 1e6, "GB/s");
}

/** The same steps by PyTorch, where it is installed: bench/peers/torch_steps.py. */
async function beside(ours: { transformer: number; bilstm: number }, report: Report): Promise<void> {
  const script = new URL("../../bench/peers/torch_steps.py", import.meta.url).pathname;
  try {
    const { stdout } = await promisify(execFile)("python3", [script]);
    const theirs = JSON.parse(stdout) as { transformer: number; bilstm: number };
    report.figure("engine.peer.transformer", theirs.transformer / ours.transformer, "× as fast as PyTorch");
    report.figure("engine.peer.bilstm", theirs.bilstm / ours.bilstm, "× as fast as PyTorch");
  } catch {
    report.progress("engine.peer: PyTorch is not here; pip install torch==2.13.0 gives the CPU build");
  }
}
