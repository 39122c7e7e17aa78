import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Recogniser } from "../src/inference/index.ts";
import { train } from "../src/methods/index.ts";
import { jsonLog, serveDefaults, startServer } from "../src/serve/index.ts";
import { type Sentence, surface, tokenCount } from "../src/text/index.ts";
import { inParallel } from "../src/util/parallel.ts";
import { type Bench, bestSeconds, type Report } from "./harness.ts";
import { sampleSentences } from "./pipeline.ts";

const clients = 64;

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

function textOf(sentence: Sentence): string {
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
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const ask = (text: string): Promise<void> => post(server.port, agent, text);
  try {
    report.progress("serve: a plain loop over the Recogniser");
    const loop = async (): Promise<void> => {
      for (const text of texts) await recogniser.tag(text);
    };
    const alone = await bestSeconds(3, loop);
    report.progress(`serve: ${clients} clients`);
    const together = await bestSeconds(3, () => inParallel(texts, clients, ask));
    report.figure("serve.loop", texts.length / alone, "texts/s");
    report.figure("serve.clients", texts.length / together, "texts/s");
    report.figure("serve.throughput", alone / together, "× a plain loop");
    const latencies = await halfLoad(texts, (2 * together) / texts.length, ask);
    report.figure("serve.half-load-p50", quantile(latencies, 0.5), "ms");
    report.figure("serve.half-load-p99", quantile(latencies, 0.99), "ms");
  } finally {
    agent.destroy();
    await server.stop();
    await recogniser.dispose();
  }
}

/** Requests that come at fixed times, whether or not those before are answered; the milliseconds that each took. */
async function halfLoad(
  texts: readonly string[],
  interval: number,
  ask: (text: string) => Promise<void>,
): Promise<number[]> {
  const start = performance.now();
  return Promise.all(
    texts.map(async (text, i) => {
      const due = start + 1000 * i * interval;
      await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
      await ask(text);
      // From when it should have been sent: a client that is late itself does not make the server look quicker.
      return performance.now() - due;
    }),
  );
}

function post(port: number, agent: Agent, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "Content-Type": "application/json" };
    const asked = request({ host: "127.0.0.1", port, agent, path: "/tag", method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => (response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`))));
    });
    asked.on("error", reject);
    asked.end(JSON.stringify({ inputs: text }));
  });
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]!;
}
