import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Recogniser } from "../src/inference/index.ts";
import { train } from "../src/methods/index.ts";
import { jsonLog, serveDefaults, startServer } from "../src/serve/index.ts";
import { type Sentence, surface, tokenCount } from "../src/text/index.ts";
import { type Bench, bestSeconds, type Report } from "./harness.ts";
import { clients, load, quantile } from "./load.ts";
import { sampleSentences } from "./pipeline.ts";

/** A server with 64 clients beside a plain loop over the Recogniser, in one run: texts of a sentence each. */
export const serve: Bench = {
  prefix: "serve",
  async run(report) {
    const sentences = await sampleSentences();
    const directory = mkdtempSync(join(tmpdir(), "lacuna-bench-"));
    try {
      const model = join(directory, "model");
      const settings = { method: "uniform", encoder: "bilstm", epochs: 1 } as const;
      for await (const _ of train({ train: sentences.slice(0, 600), dev: [] }, settings, { directory: model })) {
        // Only the model counts.
      }
      await measure(model, sentences.slice(0, 640).map(textOf), report);
    } finally {
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

export function textOf(sentence: Sentence): string {
  return surface(sentence, { start: 0, end: tokenCount(sentence) });
}

async function measure(model: string, texts: readonly string[], report: Report): Promise<void> {
  const recogniser = await Recogniser.load(model);
  const server = await startServer({
    ...serveDefaults,
    version: "0",
    models: new Map([["model", model]]),
    port: 0,
    log: jsonLog(() => {}, { quiet: true }),
  });
  const asking = load(server.port);
  try {
    report.progress("serve: a plain loop over the Recogniser");
    const loop = async (): Promise<void> => {
      for (const text of texts) await recogniser.tag(text);
    };
    const alone = await bestSeconds(3, loop);
    report.progress(`serve: ${clients} clients`);
    const together = await bestSeconds(3, () => asking.full(texts));
    report.figure("serve.loop", texts.length / alone, "texts/s");
    report.figure("serve.clients", texts.length / together, "texts/s");
    report.figure("serve.throughput", alone / together, "× a plain loop");
    const latencies = await asking.paced(texts, (2 * together) / texts.length);
    report.figure("serve.half-load-p50", quantile(latencies, 0.5), "ms");
    report.figure("serve.half-load-p99", quantile(latencies, 0.99), "ms");
  } finally {
    asking.end();
    await server.stop();
    await recogniser.dispose();
  }
}
