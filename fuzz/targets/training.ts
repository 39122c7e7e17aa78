import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCheckpoint } from "../../src/training/checkpoint.ts";
import type { Fingerprint } from "../../src/training/fingerprint.ts";
import { readMetrics } from "../../src/training/metrics.ts";
import { readPrepared } from "../../src/training/stage.ts";
import { readSafetensors, writeSafetensors } from "../../src/util/safetensors.ts";
import { ensure, type Target } from "../target.ts";

const fingerprint: Fingerprint = {
  settings: { method: "uniform", sampler: { name: "uniform", rate: 0.3 } },
  ...{ train: "a", dev: "b", types: ["PER"], adjustments: "c" },
};
const evaluation = {
  ...{ kind: "evaluation", epoch: 1, loss: 0.5, improved: true, negatives: 3 },
  dev: { precision: 1, recall: 0.5, f1: 0.66 },
};
const progress = {
  ...{ epoch: 1, batch: 0, stale: 0, annealing: { scale: 1, stale: 0 }, finished: false, best: { f1: 0.5, epoch: 1 } },
  tally: { loss: 0, batches: 0, negatives: 0, missampled: 0 },
  history: [evaluation],
};
const prepared = {
  adjustments: [
    { sentence: 0, start: 1, end: 2, weight: 0 },
    { sentence: 1, start: 0, end: 1, weight: 0.5, target: [0.25, 0.75] },
  ],
  summary: "2 tokens",
  facts: { removed: 2 },
};

const lines = (...values: readonly unknown[]): Buffer =>
  Buffer.from(values.map((value) => JSON.stringify(value)).join("\n"));

/** What an interrupted training left: whatever is in it, it goes on or is refused. */
export const trainingTargets: readonly Target[] = [
  {
    name: "checkpoint",
    shape: "json-lines",
    weight: 0.3,
    seeds: async () => [lines(progress, 3, fingerprint)],
    async run(input, scratch) {
      const folder = join(scratch, "run", "checkpoint");
      mkdirSync(folder, { recursive: true });
      const [before = "", updates = "", of = ""] = input.toString("utf8").split("\n");
      const tensors = { a: { data: new Float32Array(2), shape: [2] } };
      const file = join(folder, "state.safetensors");
      await writeSafetensors(file, tensors, { metadata: { progress: before, updates, fingerprint: of } });
      ensure(readSafetensors(file).size === 1, "checkpoint: not what was written");
      const { epoch } = readCheckpoint(join(scratch, "run"), fingerprint)!.progress;
      ensure(Number.isInteger(epoch) && epoch >= 0, "checkpoint: epochs that are no number");
    },
  },
  {
    name: "prepared",
    shape: "json",
    weight: 0.5,
    seeds: async () => [lines(prepared)],
    async run(input, scratch) {
      writeFileSync(join(scratch, "prepared.json"), input);
      const { adjustments } = await readPrepared(join(scratch, "prepared.json"), scratch);
      ensure(
        adjustments.every(({ weight }) => weight >= 0),
        "prepared: a weight below 0",
      );
    },
  },
  {
    name: "metrics",
    shape: "json-lines",
    weight: 0.5,
    seeds: async () => [lines(evaluation, { ...evaluation, stage: "explore", dev: null })],
    async run(input, scratch) {
      writeFileSync(join(scratch, "metrics.jsonl"), input);
      await readMetrics(scratch);
    },
  },
];
