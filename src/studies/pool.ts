import { type ChildProcess, fork } from "node:child_process";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Measured } from "./execute.ts";
import { type Message, type Orders, type StoryRecord, stopOrder } from "./messages.ts";

/** A run failed; the others go on. */
export class RunFailure extends Error {}

/**
 * Does a run in a process of its own: two runs with one thread each use two cores better than one run with two, and a run
 * that dies takes nobody along. When the signal is aborted the process writes a checkpoint before it ends.
 */
export async function executeApart(
  orders: Orders,
  options: { readonly signal: AbortSignal; readonly see: (record: StoryRecord) => void },
): Promise<Measured> {
  const { signal, see } = options;
  signal.throwIfAborted();
  const script = new URL(`./worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
  const child = fork(fileURLToPath(script), { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const stop = (): void => {
    if (child.connected) child.send(stopOrder);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    child.send(orders);
    const outcome = await outcomeOf(child, see);
    if (typeof outcome !== "string") return outcome;
    signal.throwIfAborted();
    throw new RunFailure(outcome);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The measured result, or why there is none. */
function outcomeOf(child: ChildProcess, see: (record: StoryRecord) => void): Promise<Measured | string> {
  let outcome: Measured | string | undefined;
  let lastWords = "";
  child.on("message", (message: Message) => {
    if (message.kind === "record") see(message.record);
    else outcome = message.kind === "measured" ? message.measured : message.reason;
  });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    lastWords = `${lastWords}${text}`.slice(-500);
  });
  return new Promise((resolve) => {
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code, signal) => {
      const ending =
        signal === null
          ? `exit code ${code}`
          : `${signal}${signal === "SIGKILL" ? ", which may mean too little memory" : ""}`;
      resolve(outcome ?? `its process ended with ${ending}: ${lastWords.trim() || "no word"}`);
    });
  });
}

/** Works on items, so many at a time; the first error stops what has not begun and is thrown when all that has is over. */
export async function inParallel<T>(
  items: readonly T[],
  jobs: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const errors: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined && errors.length === 0; item = waiting.shift()) {
      await work(item).catch((error) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
}
