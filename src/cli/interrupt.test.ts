import { EventEmitter } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Interrupted, interruptible, type StopSource, stopRequests } from "./interrupt.ts";

async function* numbers(log: string[] = []): AsyncGenerator<number> {
  try {
    for (let value = 0; value < 3; value++) yield value;
  } finally {
    log.push("closed");
  }
}

/** A source that waits for input until its stream is destroyed, and then cleans up. */
function blocked(log: string[]): { items: AsyncGenerator<number>; destroy(): void } {
  let destroy = (): void => {};
  const input = new Promise<number>((_, reject) => {
    destroy = () => reject(new Error("premature close"));
  });
  const items = (async function* (): AsyncGenerator<number> {
    try {
      yield await input;
    } finally {
      log.push("cleaned up");
    }
  })();
  return { items, destroy };
}

function fakeProcess(
  destroy = (): void => {},
  waiting: readonly string[] = [],
): StopSource & { send(name: string): boolean; readonly stdout: EventEmitter; readonly killed: unknown[] } {
  const signals = new EventEmitter();
  const killed: unknown[] = [];
  return {
    pid: 17,
    killed,
    kill: (...order) => killed.push(order),
    exit: (code) => killed.push(code),
    getActiveResourcesInfo: () => waiting,
    removeListener: (name, listener) => signals.removeListener(name, listener),
    once: (name, listener) => signals.once(name, listener),
    send: (name) => signals.emit(name),
    stdin: { destroy },
    stdout: new EventEmitter(),
  };
}

it("gives the same items and closes the source", async () => {
  const log: string[] = [];
  const seen: number[] = [];
  for await (const value of interruptible(numbers(log), new AbortController().signal)) seen.push(value);
  expect(seen).toEqual([0, 1, 2]);
  expect(log).toEqual(["closed"]);
});

it("closes the source when the consumer stops early", async () => {
  const log: string[] = [];
  for await (const _ of interruptible(numbers(log), new AbortController().signal)) break;
  expect(log).toEqual(["closed"]);
});

it("passes on the error of the source", async () => {
  const failing = (async function* (): AsyncGenerator<number> {
    yield 1;
    throw new Error("bad line");
  })();
  const items = interruptible(failing, new AbortController().signal);
  await items.next();
  await expect(items.next()).rejects.toThrow("bad line");
});

describe("a request to stop", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("by %s ends the wait for input with exit code %d, after the source has cleaned up", async (name, exitCode) => {
    const log: string[] = [];
    const { items, destroy } = blocked(log);
    const host = fakeProcess(destroy);
    const waiting = interruptible(items, stopRequests(host).signal).next();
    host.send(name);
    await expect(waiting).rejects.toSatisfy((error) => error instanceof Interrupted && error.exitCode === exitCode);
    expect(log).toEqual(["cleaned up"]);
  });

  it("does not wait for ever for a source that hangs", async () => {
    const host = fakeProcess();
    const waiting = interruptible(blocked([]).items, stopRequests(host).signal).next();
    host.send("SIGINT");
    await expect(waiting).rejects.toThrow(Interrupted);
  });

  it("between two items is seen at the next one", async () => {
    const controller = new AbortController();
    const items = interruptible(numbers(), controller.signal);
    await items.next();
    controller.abort(new Interrupted(130));
    await expect(items.next()).rejects.toThrow(Interrupted);
  });

  it("comes from a reader that went away, without blame, and from a full disk, with", () => {
    const host = fakeProcess();
    const { signal } = stopRequests(host);
    host.stdout.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    expect(signal.reason).toMatchObject({ exitCode: 0 });
    const other = fakeProcess();
    const { signal: otherSignal } = stopRequests(other);
    const full = Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" });
    other.stdout.emit("error", full);
    expect(otherSignal.reason).toBe(full);
  });

  it("ends a command that does not end itself within a second, but not one that was allowed more time", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const [hanging, patient, late] = [fakeProcess(() => {}, ["FSReqPromise"]), fakeProcess(), fakeProcess()];
    stopRequests(hanging);
    stopRequests(late);
    stopRequests(patient).allowTime();
    hanging.send("SIGTERM");
    late.send("SIGTERM");
    patient.send("SIGINT");
    expect(hanging.killed).toEqual([]);
    await vi.advanceTimersByTimeAsync(1000);
    // Leaving would wait for the thread that waits for a pipe; the signal does not.
    expect(hanging.killed).toEqual([[17, "SIGTERM"]]);
    expect(late.killed).toEqual([143]);
    expect(patient.killed).toEqual([]);
  });

  it("is left to the system during work that nothing can interrupt from within", () => {
    const host = fakeProcess();
    const stop = stopRequests(host);
    expect(stop.atOnce(() => host.send("SIGINT"))).toBe(false); // nobody listens: the process would end
    expect(() =>
      stop.atOnce(() => {
        throw new Error("bad corpus");
      }),
    ).toThrow("bad corpus");
    expect(stop.signal.aborted).toBe(false);
    expect(host.send("SIGINT")).toBe(true);
    expect(() => stop.atOnce(() => 1)).toThrow(Interrupted);
  });

  it("is left to the system until such work is over, also where it waits or is part of other such work", async () => {
    const host = fakeProcess();
    const stop = stopRequests(host);
    let finish = (): void => {};
    const waiting = stop.atOnce(() => new Promise<void>((resolve) => (finish = resolve)));
    stop.atOnce(() => stop.atOnce(() => 1));
    expect(host.send("SIGINT")).toBe(false);
    finish();
    await waiting;
    const failing = stop.atOnce(() => Promise.reject(new Error("bad weights")));
    expect(host.send("SIGINT")).toBe(false);
    await expect(failing).rejects.toThrow("bad weights");
    expect(host.send("SIGINT")).toBe(true);
    expect(stop.signal.aborted).toBe(true);
  });
});
