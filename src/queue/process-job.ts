import type { Job } from "bullmq";
import { messageOf } from "../util/errors.ts";
import { machineErrors } from "../util/output-target.ts";
import { withoutPassword } from "./address.ts";
import { forbidden } from "./allowed-folders.ts";
import type { Engine } from "./engine.ts";
import type { Slots } from "./slots.ts";
import type { Counted, Tally } from "./tally.ts";
import type { WorkerLog } from "./worker-log.ts";

export interface ProcessOptions {
  readonly name: string;
  readonly slots: Slots;
  readonly tally: Tally;
  /** Aborted when the worker is to end at once. */
  readonly signal: AbortSignal;
  readonly log: WorkerLog;
  /** Takes no more jobs for a while. */
  rest(reason: string): Promise<void>;
}

/** What a worker does with a job: has a slot do it, and says what became of it in the words of the queue. */
export function jobProcessor(
  { bullmq, address }: Engine,
  { name, slots, tally, signal, log, rest }: ProcessOptions,
): (job: Job, token?: string) => Promise<unknown> {
  /** A job that could not be done here for no fault of its own goes back as it was. */
  const giveBack = async (job: Job, token: string | undefined, counted: Counted, delay: number): Promise<never> => {
    counted.end("returned");
    await job.moveToDelayed(Date.now() + delay, token);
    throw new bullmq.DelayedError();
  };
  const giveUp = async (error: unknown, job: Job, token: string | undefined, counted: Counted): Promise<never> => {
    const reason = withoutPassword(messageOf(error), address);
    const code = (error as NodeJS.ErrnoException).code ?? "";
    if (signal.aborted) return giveBack(job, token, counted, 0);
    if (machineErrors.has(code)) {
      await rest(`${code}: ${reason}`);
      return giveBack(job, token, counted, 1000);
    }
    counted.end("failed");
    log("error", "job failed", { job: job.id, attempt: job.attemptsMade + 1, reason });
    const message = `worker ${name}: ${reason}`;
    // What this worker may not do is not tried again: the others were given the same folders.
    throw code === forbidden ? new bullmq.UnrecoverableError(message) : new Error(message);
  };
  return async (job, token) => {
    const { orders, folder } = job.data as { readonly orders: unknown; readonly folder: string };
    const counted = tally.begin(job.name);
    const see = (record: unknown): void => {
      if (!counted.see(record)) job.updateProgress(record as object).catch(() => {});
    };
    try {
      const { result, memory } = await slots.perform({ kind: job.name, orders, folder }, { signal, see });
      counted.end("done", memory);
      return result;
    } catch (error) {
      return giveUp(error, job, token, counted);
    }
  };
}
