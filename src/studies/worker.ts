/** The process of one run: gets its orders as a message, tells how it goes, and ends with a result or a reason. */
import { messageOf } from "../util/errors.ts";
import { execute, type Measured } from "./execute.ts";
import { alone } from "./lock.ts";
import { type Message, type Orders, stopOrder } from "./messages.ts";

// The terminal tells all processes of a group; whether to stop is decided by the one that gave the orders.
process.on("SIGINT", () => {});
const controller = new AbortController();
const stop = (): void => controller.abort(new Error("interrupted"));
for (const event of ["SIGTERM", "disconnect"] as const) process.once(event, stop);

process.on("message", async (order: Orders | typeof stopOrder) => {
  if (order === stopOrder) {
    stop();
    return;
  }
  await work(order);
  if (process.connected) process.disconnect();
});

async function work({ run, options }: Orders): Promise<void> {
  const { signal } = controller;
  try {
    const measured = await alone(options.directory, () => watched(execute(run, { ...options, signal })), { signal });
    await tell({ kind: "measured", measured });
  } catch (error) {
    await tell({ kind: "failed", reason: messageOf(error) });
  }
}

async function watched(running: ReturnType<typeof execute>): Promise<Measured> {
  for (;;) {
    const { done, value } = await running.next();
    if (done) return value;
    if (value.kind !== "step") await tell({ kind: "record", record: value });
  }
}

/** Resolves when the message is on its way, also where nobody is left to hear it. */
function tell(message: Message): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve();
    else process.send!(message, () => resolve());
  });
}
