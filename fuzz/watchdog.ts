import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FromWorker, Order } from "./messages.ts";

export interface Limits {
  /** Milliseconds of work that one input may take; five times as much when the process sleeps. */
  readonly time: number;
  /** Bytes by which the process may grow for one input. */
  readonly memory: number;
}

/** How a worker ended, and the last input it had begun. */
export type Ending =
  | { readonly kind: "done" }
  | { readonly kind: "hang" | "crash" | "growth"; readonly number: number; readonly detail: string };

/**
 * Runs a worker and watches it from outside: one that takes too long for an input, grows too large or dies is ended and
 * told of. A process cannot watch itself while it hangs.
 */
export async function watched(
  order: Order,
  limits: Limits,
  see: (message: FromWorker) => void,
  script = fileURLToPath(new URL("./worker.js", import.meta.url)),
): Promise<Ending> {
  const child = fork(script, { stdio: ["ignore", "ignore", "pipe", "ipc"], execArgv: ["--max-old-space-size=1024"] });
  let [number, since, worked, base] = [-1, Date.now(), 0, 0];
  let [slept, looked] = [0, Date.now()];
  let ending: Ending | undefined;
  let words = "";
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    words = `${words}${text}`.slice(-2000);
  });
  child.on("message", (message: FromWorker) => {
    if (message.kind === "begin") {
      [number, since, slept] = [message.number, Date.now(), 0];
      worked = stateOf(child).work;
      if (base === 0) base = residentOf(child);
    }
    see(message);
  });
  const watch = setInterval(() => {
    if (number < 0 || ending !== undefined) return;
    const grown = residentOf(child) - base;
    // A busy machine lets a process wait that would work: what counts is the work it has done, and how long it slept.
    const { work, isAsleep } = stateOf(child);
    const [now, done] = [Date.now(), work - worked];
    if (isAsleep) slept += now - Math.max(looked, since);
    looked = now;
    if (done > limits.time || slept > (tellsWork ? 5 : 1) * limits.time)
      ending = { kind: "hang", number, detail: `${done} ms of work in ${now - since} ms` };
    else if (grown > limits.memory) ending = { kind: "growth", number, detail: `${Math.round(grown / 1e6)} MB` };
    if (ending !== undefined) child.kill("SIGKILL");
  }, 50);
  const closed = new Promise<[number | null, string | null]>((resolve) => {
    child.on("close", (code, signal) => resolve([code, signal]));
  });
  child.send(order);
  const [code, signal] = await closed;
  clearInterval(watch);
  if (ending !== undefined) return ending;
  if (code === 0) return { kind: "done" };
  return { kind: "crash", number, detail: `${signal ?? `exit code ${code}`}: ${words}` };
}

const tellsWork = existsSync("/proc/self/stat");

/**
 * Milliseconds that a process has worked, where the system tells (two fields of its status, in hundredths of a second), and
 * whether it waits for something else than its turn.
 */
function stateOf({ pid }: ChildProcess): { readonly work: number; readonly isAsleep: boolean } {
  if (!tellsWork) return { work: 0, isAsleep: true };
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { work: 10 * (Number(fields[11]) + Number(fields[12])), isAsleep: fields[0] !== "R" };
  } catch {
    return { work: 0, isAsleep: true };
  }
}

/** Bytes of a process in memory, where the system tells; 0 elsewhere, and then memory is not watched. */
function residentOf({ pid }: ChildProcess): number {
  try {
    return 4096 * Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  } catch {
    return 0;
  }
}
