/** The process of one run: gets its orders as a message, tells how it goes, and ends with a result or a reason. */
import type { RunRecord } from "../../training/run.ts";
import { messageOf } from "../../util/errors.ts";
import { type ExecutionOptions, execute, type Measured } from "./execute.ts";
import type { PlannedRun } from "./grid.ts";

export interface Orders {
  readonly run: PlannedRun;
  readonly options: Omit<ExecutionOptions, "signal">;
}

/** What is worth telling while a run goes on. */
export type StoryRecord = Exclude<RunRecord, { readonly kind: "step" }>;

export type Message =
  | { readonly kind: "record"; readonly record: StoryRecord }
  | { readonly kind: "measured"; readonly measured: Measured }
  | { readonly kind: "failed"; readonly reason: string };

// The terminal tells all processes of a group; whether to stop is decided by the one that gave the orders.
process.on("SIGINT", () => {});
const stop = new AbortController();
for (const event of ["SIGTERM", "disconnect"] as const) process.once(event, () => stop.abort(new Error("interrupted")));

process.once("message", async (orders: Orders) => {
  const exitCode = await work(orders);
  process.exitCode = exitCode;
  if (process.connected) process.disconnect();
});

async function work({ run, options }: Orders): Promise<number> {
  try {
    const running = execute(run, { ...options, signal: stop.signal });
    for (;;) {
      const { done, value } = await running.next();
      if (done) await tell({ kind: "measured", measured: value });
      else if (value.kind !== "step") await tell({ kind: "record", record: value });
      if (done) return 0;
    }
  } catch (error) {
    await tell({ kind: "failed", reason: messageOf(error) });
    return 1;
  }
}

/** Resolves when the message is on its way, also where nobody is left to hear it. */
function tell(message: Message): Promise<void> {
  return new Promise((resolve) => {
    if (!process.connected) resolve();
    else process.send!(message, () => resolve());
  });
}
