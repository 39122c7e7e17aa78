import { doShard, openWork, type ShardOptions } from "./do-shard.ts";
import { type Plan, type Share, sharedOut } from "./plan.ts";
import { doneShards, type ShardRecord } from "./shards-folder.ts";
import type { WorkOptions } from "./works/shard-work.ts";

export interface ShareOptions extends WorkOptions, Pick<ShardOptions, "signal"> {
  readonly see: (event: ShareEvent) => void;
}

/** How far a share is: shards of it that are done, and documents that have gone through in this process. */
export interface ShareEvent {
  readonly done: number;
  readonly documents: number;
}

/** Does the shards of a share that are not done yet, one after the other, in this process. */
export async function doShare(
  folder: string,
  plan: Plan,
  share: Share,
  { threads, signal, see }: ShareOptions,
): Promise<ReadonlyMap<number, ShardRecord>> {
  const own = sharedOut(plan, share);
  const before = await doneShards(folder, plan);
  const done = new Map(own.flatMap((number) => (before.has(number) ? [[number, before.get(number)!] as const] : [])));
  const missing = own.filter((number) => !done.has(number));
  if (missing.length === 0) return done;
  const opened = await openWork(plan, { threads });
  let documents = 0;
  try {
    for (const number of missing) {
      signal?.throwIfAborted();
      const seen = (count: number): void => see({ done: done.size, documents: documents + count });
      const record = await doShard(folder, plan, number, opened, { signal, seen });
      documents += record.documents;
      done.set(number, record);
      see({ done: done.size, documents });
    }
    return done;
  } finally {
    await opened.close();
  }
}
