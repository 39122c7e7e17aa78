import { removeLiveTemporaries } from "../util/temporary.ts";

/** The program was asked to stop, or nobody is left to read what it writes; carries the exit code. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("interrupted");
    this.exitCode = exitCode;
  }
}

/** Where requests to stop come from, and how the program ends at once: the process, or a stand-in in a test. */
export interface StopSource {
  readonly pid: number;
  once(signal: StopName, listener: () => void): unknown;
  removeListener(signal: StopName, listener: () => void): unknown;
  kill(pid: number, signal: StopName): unknown;
  exit(code: number): unknown;
  getActiveResourcesInfo(): readonly string[];
  readonly stdin: { destroy(): unknown };
  readonly stdout: { on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown };
}

type StopName = "SIGINT" | "SIGTERM";

/** A request to stop, and how much time a command may take to follow it. */
export interface Stop {
  readonly signal: AbortSignal;
  /** From now on the command may take its time after a request: it writes a checkpoint first. */
  allowTime(): void;
  /** A request to stop is how this command ends: it may take its time, and the exit code is 0. */
  endsByStop(): void;
  /** Does long work that nothing can interrupt from within: a request ends the process at once, as a kill would. */
  atOnce<T>(work: () => T): T;
}

/** How long a command may take to end after an abort: somebody is waiting at a terminal. */
const grace = 800;

/**
 * Aborted when the program has to stop, so that writers can take their temporary files away first: on SIGINT and
 * SIGTERM (a second one finds no listener and ends the process at once), and when standard output fails.
 * A reader that went away (`lacuna … | head`) is no failure: exit code 0. A command that does not end in time, because
 * it waits for a pipe that nobody opens, is ended by the same signal.
 */
export function stopRequests(source: StopSource): Stop {
  const controller = new AbortController();
  let [patient, isEnd] = [false, false];
  const stop = (reason: Error): void => {
    controller.abort(reason);
    // Somebody may be waiting for input that never comes.
    source.stdin.destroy();
  };
  const endInTime = (name: StopName, exitCode: number): void => {
    setTimeout(async () => {
      if (patient) return;
      const waits = await hasWaitingThread(source);
      removeLiveTemporaries();
      if (waits) source.kill(source.pid, name);
      else source.exit(exitCode);
    }, grace).unref();
  };
  const listeners = (
    [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const
  ).map(([name, exitCode]) => {
    const listener = (): void => {
      endInTime(name, exitCode);
      stop(new Interrupted(isEnd ? 0 : exitCode));
    };
    return [name, listener] as const;
  });
  const listen = (): void => {
    for (const [name, listener] of listeners) source.once(name, listener);
  };
  let atWork = 0;
  const begin = (): void => {
    if (atWork++ === 0) for (const [name, listener] of listeners) source.removeListener(name, listener);
  };
  const end = (): void => {
    if (--atWork === 0) listen();
  };
  listen();
  source.stdout.on("error", (error) =>
    stop(error.code === "EPIPE" ? new Interrupted(0) : Object.assign(error, { path: "standard output" })),
  );
  return {
    signal: controller.signal,
    allowTime() {
      patient = true;
    },
    endsByStop() {
      patient = true;
      isEnd = true;
    },
    atOnce(work) {
      controller.signal.throwIfAborted();
      begin();
      let isPending = false;
      try {
        const result = work();
        isPending = result instanceof Promise;
        return result instanceof Promise ? (result.finally(end) as typeof result) : result;
      } finally {
        if (!isPending) end();
      }
    },
  };
}

/**
 * Ends the process with an exit code. A thread that waits for a pipe nobody opens would keep it from ending; then the
 * signal that asked it to stop ends it, which shells report with the same code.
 */
export async function endProcess(exitCode: number): Promise<never> {
  const name = ({ 130: "SIGINT", 143: "SIGTERM" } as const)[exitCode];
  if (name !== undefined) {
    const waits = await hasWaitingThread(process);
    removeLiveTemporaries();
    if (waits) process.kill(process.pid, name);
  }
  process.exit(exitCode);
}

/** Whether something of the file system has been asked for and is not answered soon: leaving would wait for the answer. */
async function hasWaitingThread(source: Pick<StopSource, "getActiveResourcesInfo">): Promise<boolean> {
  const isWaiting = (): boolean => source.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));
  for (let tries = 0; tries < 5 && isWaiting(); tries++) await new Promise((resolve) => setTimeout(resolve, 20));
  return isWaiting();
}

/** How long a source may take to end after an abort. */
const patience = 500;

/** The same items; throws the reason of the abort as soon as it comes, even while the next item is awaited. */
export async function* interruptible<T>(
  items: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const iterator = items[Symbol.asyncIterator]();
  let rejectPending: (reason: unknown) => void = () => {};
  const onAbort = (): void => rejectPending(signal.reason);
  signal.addEventListener("abort", onAbort);
  // One promise per step: a race against a promise that outlives the loop would hold every step in memory.
  const next = (): Promise<IteratorResult<T, unknown>> =>
    new Promise((resolve, reject) => {
      rejectPending = reject;
      iterator.next().then(resolve, reject);
    });
  try {
    for (;;) {
      signal.throwIfAborted();
      const result = await next();
      if (result.done) return;
      yield result.value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    const closed = iterator.return?.();
    if (signal.aborted) await settledOrLate(closed, patience);
    else await closed;
  }
}

/** Waits for a promise whose outcome does not matter any more, but not for ever. */
async function settledOrLate(promise: Promise<unknown> | undefined, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([promise?.catch(() => {}), late]);
  clearTimeout(timer);
}
