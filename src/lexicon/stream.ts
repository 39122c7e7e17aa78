import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Document } from "../text/index.ts";
import { packBatch, unpackDecisions } from "./batch.ts";
import { applyDecisions, type Labelled, labelWith } from "./label.ts";
import type { WorkerStart } from "./label-worker.ts";
import type { Matcher } from "./matcher.ts";
import { type LabelPolicy, makePolicy } from "./policy.ts";

export interface LabelOptions extends Partial<LabelPolicy> {
  /** Threads beside this one; default 0. They are started when there is enough text to be worth it. */
  readonly workers?: number;
}

/** Labels documents one after the other, in their order and with the same result whatever the number of threads. */
export async function* label(
  documents: Iterable<Document> | AsyncIterable<Document>,
  matcher: Matcher,
  options: LabelOptions = {},
): AsyncGenerator<Labelled, void, undefined> {
  const { workers = 0, ...rest } = options;
  const policy = makePolicy(rest);
  if (workers > 0) yield* labelInThreads(documents, matcher, policy, workers);
  else for await (const document of documents) yield labelWith(document, matcher, policy);
}

/** Characters of text that are sent to a thread at once. */
const batchSize = 1 << 18;

async function* labelInThreads(
  documents: Iterable<Document> | AsyncIterable<Document>,
  matcher: Matcher,
  policy: LabelPolicy,
  workers: number,
): AsyncGenerator<Labelled, void, undefined> {
  const pending: Promise<Labelled[]>[] = [];
  let pool: Pool | undefined;
  try {
    for await (const { batch, full } of inBatches(documents)) {
      if (full) pool ??= startPool(matcher, policy, workers);
      if (pool === undefined) for (const document of batch) yield labelWith(document, matcher, policy);
      else pending.push(labelBatch(batch, pool, matcher, policy));
      if (pending.length > 2 * workers) for (const labelled of await pending.shift()!) yield labelled;
    }
    while (pending.length > 0) for (const labelled of await pending.shift()!) yield labelled;
  } finally {
    for (const batch of pending) batch.catch(() => {}); // nobody waits for them any more
    await pool?.close();
  }
}

async function* inBatches(
  documents: Iterable<Document> | AsyncIterable<Document>,
): AsyncGenerator<{ batch: Document[]; full: boolean }, void, undefined> {
  let batch: Document[] = [];
  let size = 0;
  for await (const document of documents) {
    batch.push(document);
    size += document.text.length + 1;
    if (size < batchSize) continue;
    yield { batch, full: true };
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield { batch, full: false };
}

async function labelBatch(
  documents: readonly Document[],
  pool: Pool,
  matcher: Matcher,
  policy: LabelPolicy,
): Promise<Labelled[]> {
  const packed = packBatch(documents);
  const rows = await pool.run(packed, [packed.counts.buffer as ArrayBuffer, packed.offsets.buffer as ArrayBuffer]);
  const decisions = unpackDecisions(rows, documents);
  return documents.map((document, index) => applyDecisions(document, decisions[index]!, matcher, policy));
}

/** Threads that answer each message with an array; the work goes to them in turn. */
interface Pool {
  run(message: unknown, handedOver: ArrayBuffer[]): Promise<Int32Array>;
  close(): Promise<void>;
}

function startPool(matcher: Matcher, policy: LabelPolicy, size: number): Pool {
  const { header, buffer } = matcher.automaton;
  const workerData: WorkerStart = { header, buffer, policy };
  // The thread runs this file's neighbour, which ends in .js once it is built.
  const script = new URL(`./label-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
  const threads = Array.from({ length: size }, () => startThread(new Worker(script, { workerData })));
  let turn = 0;
  return {
    run: (message, handedOver) => threads[turn++ % size]!.run(message, handedOver),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}

/** One thread; it answers in the order in which it was asked. */
function startThread(worker: Worker): Pool {
  const askers: { resolve(rows: Int32Array): void; reject(error: unknown): void }[] = [];
  let failure: { readonly error: unknown } | undefined;
  worker.on("message", (rows: Int32Array) => askers.shift()!.resolve(rows));
  worker.on("error", (error) => {
    failure = { error };
    for (const { reject } of askers.splice(0)) reject(error);
  });
  return {
    run: (message, handedOver) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure.error);
        askers.push({ resolve, reject });
        worker.postMessage(message, handedOver);
      }),
    async close() {
      await worker.terminate();
    },
  };
}
