import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError } from "../util/errors.ts";
import type { Order, Reply } from "./messages.ts";
import {
  type BatchRecord,
  type ModelOptions,
  ModelUnavailable,
  type Tagged,
  type Tagger,
  TaggingFailed,
  type TagJob,
} from "./tagger.ts";

export interface ProcessEvents {
  readonly batch: (batch: BatchRecord) => void;
  /** The process ended though nobody had asked it to. */
  readonly lost: (ending: string) => void;
}

interface Waiting {
  resolve(tagged: Tagged): void;
  reject(reason: unknown): void;
}

/**
 * Opens a model in a process of its own. The server stays responsive while the model works, several of them use several
 * cores, and one that dies (native code, too little memory) takes neither the server nor the others along.
 */
export async function processTagger(options: ModelOptions, events: ProcessEvents): Promise<Tagger> {
  const script = new URL(`./model-process${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
  const child = fork(fileURLToPath(script), {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    serialization: "advanced",
  });
  const ended = endingOf(child);
  const types = await opened(child, options, ended);
  const waiting = new Map<number, Waiting>();
  let [number, load, closing, gone] = [0, 0, false, false];

  child.on("message", (reply: Reply) => {
    if (reply.kind === "batch") events.batch(reply.batch);
    else if (reply.kind === "tagged") waiting.get(reply.id)?.resolve(reply.tagged);
    else if (reply.kind === "failed") waiting.get(reply.id)?.reject(new TaggingFailed());
  });
  ended.then((ending) => {
    gone = true;
    for (const { reject } of waiting.values()) reject(new ModelUnavailable());
    if (!closing) events.lost(ending);
  });

  return {
    types,
    get load() {
      return load;
    },
    tag(job: TagJob, signal: AbortSignal): Promise<Tagged> {
      if (gone) return Promise.reject(new ModelUnavailable());
      if (signal.aborted) return Promise.reject(signal.reason);
      const id = number++;
      const giveUp = (): void => {
        tell(child, { kind: "give-up", id });
        waiting.get(id)?.reject(signal.reason);
      };
      load += job.text.length;
      signal.addEventListener("abort", giveUp);
      return new Promise<Tagged>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        tell(child, { kind: "tag", id, job });
      }).finally(() => {
        waiting.delete(id);
        signal.removeEventListener("abort", giveUp);
        load -= job.text.length;
      });
    },
    async close() {
      closing = true;
      tell(child, { kind: "close" });
      await ended;
    },
  };
}

/** A message that cannot be delivered is one to a process that has ended, which `endingOf` tells of. */
function tell(child: ChildProcess, order: Order): void {
  if (child.connected) child.send(order, () => {});
}

function endingOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on("error", () => resolve("it cannot be started"));
    child.on("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
}

async function opened(child: ChildProcess, options: ModelOptions, ended: Promise<string>): Promise<readonly string[]> {
  const first = new Promise<Reply>((resolve) => child.once("message", resolve));
  tell(child, { kind: "open", options });
  const reply = await Promise.race([first, ended]);
  if (typeof reply === "string") throw new Error(`the process of the model ended with ${reply}`);
  if (reply.kind === "ready") return reply.types;
  tell(child, { kind: "close" });
  await ended;
  if (reply.kind !== "refused") throw new Error("the process of the model spoke out of turn");
  throw reply.isInput ? new InputError(reply.reason) : new Error(reply.reason);
}
