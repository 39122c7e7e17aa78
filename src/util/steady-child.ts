import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { messageOf } from "./errors.ts";

/** What a child could not do; `code` is that of an error of the system. */
export class SteadyChildFailure extends Error {
  readonly code: string | undefined;

  constructor(reason: string, code?: string) {
    super(reason);
    this.code = code;
  }
}

/** A process that does one piece of work after the other, and keeps what it has opened in between. */
export interface SteadyChild {
  /** Whether it can be given more work. */
  isAlive(): boolean;
  work<Told, Result>(
    orders: unknown,
    options: { readonly signal: AbortSignal; readonly see: (record: Told) => void },
  ): Promise<{ readonly result: Result; readonly memory: number }>;
  /** Resolves when the process is over. */
  end(): Promise<void>;
}

type Answer =
  | { readonly kind: "record"; readonly record: unknown }
  | { readonly kind: "result"; readonly result: unknown; readonly memory: number }
  | { readonly kind: "failure"; readonly reason: string; readonly code?: string };

const stopOrder = "stop";
/** Milliseconds in which a process that has no more work may end by itself. */
const grace = 1000;

export interface SteadyChildOptions {
  readonly cwd?: string | undefined;
  /** For Node, beside those of this process. */
  readonly nodeFlags?: readonly string[] | undefined;
}

/** Starts a script that calls `serveSteadily`. */
export function startSteadyChild(script: URL, { cwd, nodeFlags = [] }: SteadyChildOptions = {}): SteadyChild {
  const child = fork(fileURLToPath(script), {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    execArgv: [...process.execArgv, ...nodeFlags],
    ...(cwd && { cwd }),
  });
  let [isOver, lastWords] = [false, ""];
  let hear: (answer: Answer) => void = () => {};
  child.on("message", (answer: Answer) => hear(answer));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => {
    lastWords = `${lastWords}${text}`.slice(-500);
  });
  child.on("error", (error) => hear({ kind: "failure", reason: error.message }));
  child.on("close", (code, signal) => {
    isOver = true;
    const ending =
      signal === null ? `exit code ${code}` : signal === "SIGKILL" ? `${signal}, perhaps for memory` : signal;
    hear({ kind: "failure", reason: `its process ended with ${ending}: ${lastWords.trim() || "no word"}` });
  });
  return {
    isAlive: () => !isOver && child.connected,
    work: (orders, { signal, see }) =>
      new Promise((resolve, reject) => {
        const stop = (): void => {
          if (child.connected) child.send(stopOrder, () => {});
        };
        hear = (answer) => {
          if (answer.kind === "record") return see(answer.record as never);
          signal.removeEventListener("abort", stop);
          hear = () => {};
          if (answer.kind === "result") resolve({ result: answer.result as never, memory: answer.memory });
          else reject(signal.aborted ? signal.reason : new SteadyChildFailure(answer.reason, answer.code));
        };
        signal.addEventListener("abort", stop, { once: true });
        child.send({ orders }, (error) => {
          if (error) hear({ kind: "failure", reason: `its process is gone: ${error.message}` });
        });
      }),
    async end() {
      if (child.connected) child.disconnect();
      if (child.exitCode !== null || child.signalCode !== null) return;
      // What a piece of work has opened, such as threads, may keep it alive; nobody needs any of it.
      const timer = setTimeout(() => child.kill("SIGKILL"), grace);
      await once(child, "exit");
      clearTimeout(timer);
    },
  };
}

/** The side of the child: does what it is ordered until the parent hangs up. */
export function serveSteadily<Orders, Told, Result>(
  work: (orders: Orders, tell: (record: Told) => void, signal: AbortSignal) => Promise<Result>,
): void {
  // Whether to stop is decided by the one that gave the orders.
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => {});
  let controller = new AbortController();
  const stop = (): void => controller.abort(new Error("interrupted"));
  process.once("disconnect", stop);
  const answer = (message: Answer): void => {
    if (process.connected) process.send!(message, () => {});
  };
  process.on("message", async (message: { readonly orders: Orders } | typeof stopOrder) => {
    if (message === stopOrder) return stop();
    controller = new AbortController();
    try {
      const result = await work(message.orders, (record) => answer({ kind: "record", record }), controller.signal);
      answer({ kind: "result", result, memory: 1024 * process.resourceUsage().maxRSS });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      answer({ kind: "failure", reason: messageOf(error), ...(typeof code === "string" && { code }) });
    }
  });
}
