import { parentPort, workerData } from "node:worker_threads";
import { type AutomatonHeader, openAutomaton } from "./automaton.ts";
import { type Batch, packDecisions, unpackSentences } from "./batch.ts";
import { decide } from "./label.ts";
import { matcherOf } from "./matcher.ts";
import type { LabelPolicy } from "./policy.ts";

/** What a thread is started with: the arrays of the automaton are shared, not copied. */
export interface WorkerStart {
  readonly header: AutomatonHeader;
  readonly buffer: SharedArrayBuffer;
  readonly policy: LabelPolicy;
}

const { header, buffer, policy } = workerData as WorkerStart;
const matcher = matcherOf(openAutomaton(header, buffer));

parentPort!.on("message", (batch: Batch) => {
  const rows = packDecisions(Array.from(unpackSentences(batch), (sentence) => decide(sentence, matcher, policy)));
  parentPort!.postMessage(rows, [rows.buffer as ArrayBuffer]);
});
