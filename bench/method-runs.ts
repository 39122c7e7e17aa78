import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadModel, Scorer } from "../src/inference/index.ts";
import { completeSettings, train } from "../src/methods/index.ts";
import type { Sentence } from "../src/text/index.ts";
import type { SettingsInput } from "../src/training/index.ts";
import { type Bench, bestSeconds } from "./harness.ts";
import { sampleSentences } from "./pipeline.ts";

interface MeasuredRun {
  readonly given: SettingsInput;
  /** Epochs of all its trainings. */
  readonly epochs: number;
  /** How often a model of an earlier stage looks at the training data. */
  readonly scorings: number;
}

/** Methods of several trainings by the name of their figure, and what their settings add up to. */
const measured: Readonly<Record<string, MeasuredRun>> = {
  bond: {
    given: { method: "bond", epochs: 4, bond: { early: 2, every: 2 } },
    epochs: 2 + 4,
    scorings: 2,
  },
  roster: {
    given: { method: "roster", epochs: 2, roster: { members: 2, warm: 1, rounds: 2, every: 1, selfRounds: 1 } },
    epochs: 2 * (1 + 2 * 1) + 2 + 1,
    scorings: 2 * 1 + 2 + (1 + 2),
  },
};

const head = { name: "token", output: "softmax" };
const shared = { head, encoder: "bilstm", batchTokens: 1024, patience: 0, decode: { shift: 0 } };

/** Whole runs of methods with several trainings beside one training of as many epochs and as many passes of scoring. */
export const methodRuns: Bench = {
  prefix: "method.run",
  async run(report) {
    const sentences = (await sampleSentences()).slice(0, 800);
    for (const [name, { given, epochs, scorings }] of Object.entries(measured)) {
      if (!report.wants(`method.run.${name}`)) continue;
      const own = await trained(sentences, given);
      const plain = await trained(sentences, { method: "ce", epochs }, (model) => scoringSeconds(model, sentences));
      const expected = plain.seconds + scorings * plain.found!;
      report.figure(`method.run.${name}`, own.seconds / expected, "× as many epochs of ce and passes of scoring");
    }
  },
};

/** The least time that a run takes, and what is found out about its model. */
async function trained(
  sentences: readonly Sentence[],
  given: SettingsInput,
  measure?: (directory: string) => Promise<number>,
): Promise<{ readonly seconds: number; readonly found: number | undefined }> {
  const folder = await mkdtemp(join(tmpdir(), "lacuna-bench-"));
  const directory = join(folder, "model");
  try {
    const settings = completeSettings({ ...shared, ...given });
    const seconds = await bestSeconds(3, async () => {
      await rm(directory, { recursive: true, force: true });
      for await (const _ of train({ train: sentences, dev: [] }, settings, { directory })) void _;
    });
    return { seconds, found: await measure?.(directory) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A pass over the sentences, from the model's directory on. */
function scoringSeconds(directory: string, sentences: readonly Sentence[]): Promise<number> {
  return bestSeconds(3, async () => {
    const { model, store } = await loadModel(directory);
    const scorer = await Scorer.create(model, store);
    for await (const _ of scorer.scores(sentences)) void _;
    await scorer.dispose();
    await model.encoder.dispose?.();
  });
}
