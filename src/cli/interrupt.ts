/** The program was asked to stop, or nobody is left to read what it writes; carries the exit code. */
export class Interrupted extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super("interrupted");
    this.exitCode = exitCode;
  }
}

/** Where requests to stop come from: the process, or a stand-in in a test. */
export interface StopSource {
  once(signal: "SIGINT" | "SIGTERM", listener: () => void): unknown;
  readonly stdin: { destroy(): unknown };
  readonly stdout: { on(event: "error", listener: (error: NodeJS.ErrnoException) => void): unknown };
}

/**
 * Aborted when the program has to stop, so that writers can take their temporary files away first: on SIGINT and
 * SIGTERM (a second one finds no listener and ends the process at once), and when standard output fails.
 * A reader that went away (`lacuna … | head`) is no failure: exit code 0.
 */
export function stopSignal(source: StopSource): AbortSignal {
  const controller = new AbortController();
  const stop = (reason: Error): void => {
    controller.abort(reason);
    // Somebody may be waiting for input that never comes.
    source.stdin.destroy();
  };
  source.once("SIGINT", () => stop(new Interrupted(130)));
  source.once("SIGTERM", () => stop(new Interrupted(143)));
  source.stdout.on("error", (error) => stop(error.code === "EPIPE" ? new Interrupted(0) : error));
  return controller.signal;
}

/** How long a source may take to end after an abort. */
const patience = 1000;

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
