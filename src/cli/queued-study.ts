import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { JobFailure, type QueueClient } from "../queue/index.ts";
import { type ExecuteElsewhere, type RunState, type RunStudyOptions, runStudy } from "../studies/index.ts";
import { ChildFailure } from "../util/child-process.ts";
import { openQueue, type QueueFlags } from "./open-queue.ts";
import { noteWhenAlone } from "./watch-workers.ts";

/** Has workers do the runs of a study; their results are added here, as those of runs on this machine. */
export async function runQueuedStudy(
  url: string,
  states: readonly RunState[],
  options: RunStudyOptions,
  flags: QueueFlags & { readonly quiet?: boolean | undefined },
): Promise<void> {
  const client = await openQueue(url, flags, options.signal);
  const stopLooking = noteWhenAlone(client, flags.quiet);
  const [out, data] = [resolve(options.out), resolve(options.data)];
  try {
    // All of them wait on the queue: which are done at a time is for the workers to say.
    await runStudy(states, { ...options, out, data, jobs: Math.max(1, states.length), execute: onQueue(client) });
  } finally {
    stopLooking();
    await client.close();
  }
}

function onQueue(client: QueueClient): ExecuteElsewhere {
  return async (key, orders, { see }) => {
    try {
      const job = { kind: "run", key, orders, folder: process.cwd() };
      return await client.perform(job, see);
    } catch (error) {
      throw error instanceof JobFailure ? new ChildFailure(error.message) : error;
    } finally {
      await removeAttempts(orders.options.directory);
    }
  };
}

/** Takes away what workers that died have left of a run: each works in a folder of its own. */
async function removeAttempts(directory: string): Promise<void> {
  const folder = dirname(directory);
  for (const name of await readdir(folder).catch(() => []))
    if (name.startsWith(`${basename(directory)}@`)) await rm(join(folder, name), { recursive: true, force: true });
}
