import { type Sentence, tokenCount } from "../src/text/index.ts";
import { epochBatches } from "../src/training/batches.ts";
import { closeSession, type Session } from "../src/training/session.ts";
import { from, withOwnCache } from "./features.ts";
import { type Bench, bestSeconds, type Report } from "./harness.ts";
import { sessionOf } from "./pipeline.ts";

/** An epoch with cached vectors of MiniLM beside one with word vectors alone. */
export const stack: Bench = {
  prefix: "pipeline.train.stack",
  run: (report) => withOwnCache(report, training),
};

async function training(sentences: readonly Sentence[], report: Report): Promise<void> {
  const words = { name: "words", width: 100 };
  const alone = await epochSeconds({ name: "stack", sources: [words] }, sentences);
  const both = await epochSeconds({ name: "stack", sources: [words, { name: "transformer", from }] }, sentences);
  report.figure("pipeline.train.stack", both / alone, "× the epoch with word vectors alone");
  const tokens = sentences.reduce((sum, sentence) => sum + tokenCount(sentence), 0);
  report.figure("pipeline.train.stack-tokens", tokens / both, "tokens/s");
}

async function epochSeconds(encoder: object, sentences: readonly Sentence[]): Promise<number> {
  const session = await sessionOf(encoder, sentences, "ce", { head: { name: "token" } });
  const seconds = await bestSeconds(2, () => epoch(session));
  await closeSession(session);
  return seconds;
}

async function epoch({ task, learner, settings }: Session): Promise<void> {
  for (const members of epochBatches(task.sizes, { tokens: settings.batchTokens, seed: 1, epoch: 0 }))
    await learner.step(task.batch(members, { seed: 1, epoch: 0 }).batch, 1);
}
