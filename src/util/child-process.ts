import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { messageOf } from "./errors.ts";

/** What a child did not finish, in its own words where it had some; the parent may go on with other work. */
export class ChildFailure extends Error {}

/** Asks a child to end early. */
const stopOrder = "stop";

type Message =
  | { readonly kind: "record"; readonly record: unknown }
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "failure"; readonly reason: string };

export interface ChildOptions<Told> {
  readonly signal?: AbortSignal | undefined;
  /** Hears what the child tells while it works. */
  readonly see: (record: Told) => void;
}

/**
 * Has a script, one that calls `serveParent`, do a piece of work in a process of its own: two trainings with one thread
 * each use two cores better than one with two, and one that dies takes nobody along. When the signal is aborted the
 * child is asked to end, and waited for.
 */
export async function workInChild<Told, Result>(
  script: URL,
  orders: unknown,
  { signal, see }: ChildOptions<Told>,
): Promise<Result> {
  signal?.throwIfAborted();
  const child = fork(fileURLToPath(script), { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  const stop = (): void => {
    if (child.connected) child.send(stopOrder);
  };
  signal?.addEventListener("abort", stop, { once: true });
  try {
    child.send({ orders });
    const outcome = await outcomeOf(child, see as (record: unknown) => void);
    if (outcome.kind === "result") return outcome.result as Result;
    signal?.throwIfAborted();
    throw new ChildFailure(outcome.reason);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

type Outcome = Exclude<Message, { kind: "record" }>;

function outcomeOf(child: ChildProcess, see: (record: unknown) => void): Promise<Outcome> {
  let outcome: Outcome | undefined;
  let lastWords = "";
  child.on("message", (message: Message) => {
    if (message.kind === "record") see(message.record);
    else outcome = message;
  });
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    lastWords = `${lastWords}${text}`.slice(-500);
  });
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ kind: "failure", reason: error.message }));
    child.on("close", (code, signal) => {
      const ending =
        signal === null
          ? `exit code ${code}`
          : `${signal}${signal === "SIGKILL" ? ", which may mean too little memory" : ""}`;
      const reason = `its process ended with ${ending}: ${lastWords.trim() || "no word"}`;
      resolve(outcome ?? { kind: "failure", reason });
    });
  });
}

/** The side of the child: does the work that the parent orders, tells records on the way, and ends. */
export function serveParent<Orders, Told, Result>(
  work: (orders: Orders, tell: (record: Told) => Promise<void>, signal: AbortSignal) => Promise<Result>,
): void {
  // The terminal tells all processes of a group; whether to stop is decided by the one that gave the orders.
  process.on("SIGINT", () => {});
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error("interrupted"));
  for (const event of ["SIGTERM", "disconnect"] as const) process.once(event, stop);
  process.on("message", async (message: { readonly orders: Orders } | typeof stopOrder) => {
    if (message === stopOrder) return stop();
    try {
      const result = await work(message.orders, (record) => tell({ kind: "record", record }), controller.signal);
      await tell({ kind: "result", result });
    } catch (error) {
      await tell({ kind: "failure", reason: messageOf(error) });
    }
    if (process.connected) process.disconnect();
  });
}

/** Resolves when the message is on its way, also where nobody is left to hear it. */
function tell(message: Message): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve();
    else process.send!(message, () => resolve());
  });
}
