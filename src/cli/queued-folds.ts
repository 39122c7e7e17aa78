import { createHash } from "node:crypto";
import { JobFailure, type QueueClient } from "../queue/index.ts";
import type { ExecuteFold, FoldOrders } from "../training/index.ts";
import { ChildFailure } from "../util/child-process.ts";
import { openQueue, type QueueFlags } from "./open-queue.ts";
import { noteWhenAlone } from "./watch-workers.ts";

/** Tells the work who trains the folds: workers where there is a queue, else nobody in particular. */
export async function withFolds<T>(
  flags: QueueFlags & { readonly queue?: string | undefined; readonly quiet?: boolean | undefined },
  signal: AbortSignal,
  work: (execute: ExecuteFold | undefined) => Promise<T>,
): Promise<T> {
  if (flags.queue === undefined) return work(undefined);
  const client = await openQueue(flags.queue, flags, signal);
  const stopLooking = noteWhenAlone(client, flags.quiet);
  try {
    return await work(onQueue(client));
  } finally {
    stopLooking();
    await client.close();
  }
}

function onQueue(client: QueueClient): ExecuteFold {
  return async (orders, { see }) => {
    try {
      return await client.perform({ kind: "fold", key: keyOf(orders), orders, folder: process.cwd() }, see);
    } catch (error) {
      throw error instanceof JobFailure ? new ChildFailure(error.message) : error;
    }
  };
}

/** The folder is that of this data and these settings, so a fold in it is the same work whoever asks for it. */
function keyOf({ directory, fold, folds }: FoldOrders): string {
  return createHash("sha256")
    .update(JSON.stringify([directory, fold, folds]))
    .digest("hex")
    .slice(0, 16);
}
