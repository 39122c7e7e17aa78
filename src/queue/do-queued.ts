import { resolve } from "node:path";
import { writeTextAtomically } from "../util/atomic.ts";
import { inParallel } from "../util/parallel.ts";
import type { QueueClient } from "./client.ts";
import { JobFailure } from "./job.ts";
import type { ShardOrders } from "./kinds/shard.ts";
import type { UploadedResult } from "./kinds/uploaded.ts";
import type { Plan } from "./plan.ts";
import { doneShards, recordOf, type ShardRecord } from "./shards-folder.ts";
import { openUploader } from "./upload.ts";

/** A shard that was set aside, and why. */
export interface SetAside {
  readonly shard: number;
  readonly reason: string;
}

export interface QueuedEvent {
  readonly done: number;
  readonly setAside: number;
}

/**
 * Shards that are on the queue at a time: enough for some thousand machines, and few enough for the memory of the server
 * whatever the size of the input.
 */
const window = 10_000;

/** The same for shards whose text is in the server's memory. */
const uploadWindow = 32;

export interface QueuedOptions {
  /** Send the text over the queue, for workers that do not see the files. */
  readonly upload?: boolean | undefined;
  readonly see: (event: QueuedEvent) => void;
}

/** Has workers do the shards of a plan that are not done yet. What is done is told by the files, not by the queue. */
export async function doQueued(
  client: QueueClient,
  folder: string,
  plan: Plan,
  { upload = false, see }: QueuedOptions,
): Promise<{ readonly done: ReadonlyMap<number, ShardRecord>; readonly setAside: readonly SetAside[] }> {
  const done = await doneShards(folder, plan);
  const setAside: SetAside[] = [];
  const missing = Array.from(plan.shards.keys()).filter((number) => !done.has(number));
  see({ done: done.size, setAside: 0 });
  const perform = upload ? await byUpload(client, folder, plan) : bySharedFolder(client, folder, plan);
  await inParallel(missing, upload ? uploadWindow : window, async (shard) => {
    try {
      const record = await perform(shard);
      if (record !== undefined) done.set(shard, record);
      else setAside.push({ shard, reason: "a worker has done it, but its output is not here: is the folder shared?" });
    } catch (error) {
      if (!(error instanceof JobFailure)) throw error;
      setAside.push({ shard, reason: error.message });
    }
    see({ done: done.size, setAside: setAside.length });
  });
  setAside.sort((a, b) => a.shard - b.shard);
  const lines = setAside.map((each) => `${JSON.stringify({ ...each, ...plan.shards[each.shard] })}\n`);
  await writeTextAtomically(`${folder}/set-aside.jsonl`, lines.join(""));
  return { done, setAside };
}

type Perform = (shard: number) => Promise<ShardRecord | undefined>;

function bySharedFolder(client: QueueClient, shared: string, plan: Plan): Perform {
  const folder = resolve(shared);
  return async (shard) => {
    const orders: ShardOrders = { plan: plan.key, folder, shard };
    await client.perform({ kind: "shard", key: `${plan.key}-${shard}`, orders, folder: "" });
    return recordOf(folder, plan, shard);
  };
}

async function byUpload(client: QueueClient, folder: string, plan: Plan): Promise<Perform> {
  const uploader = await openUploader(folder, plan, client.blobs);
  return async (shard) => {
    const orders = await uploader.orders(shard);
    const job = { kind: "uploaded", key: `${plan.key}-${shard}`, orders, folder: "" };
    return uploader.place(shard, await client.perform<never, UploadedResult>(job));
  };
}
