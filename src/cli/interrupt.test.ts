import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { Interrupted, interruptible, type StopSource, stopSignal } from "./interrupt.ts";

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
): StopSource & { send(name: string): void; readonly stdout: EventEmitter } {
  const signals = new EventEmitter();
  return {
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
    const waiting = interruptible(items, stopSignal(host)).next();
    host.send(name);
    await expect(waiting).rejects.toSatisfy((error) => error instanceof Interrupted && error.exitCode === exitCode);
    expect(log).toEqual(["cleaned up"]);
  });

  it("does not wait for ever for a source that hangs", async () => {
    const host = fakeProcess();
    const waiting = interruptible(blocked([]).items, stopSignal(host)).next();
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
    const signal = stopSignal(host);
    host.stdout.emit("error", Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    expect(signal.reason).toMatchObject({ exitCode: 0 });
    const other = fakeProcess();
    const otherSignal = stopSignal(other);
    const full = Object.assign(new Error("write ENOSPC"), { code: "ENOSPC" });
    other.stdout.emit("error", full);
    expect(otherSignal.reason).toBe(full);
  });
});
