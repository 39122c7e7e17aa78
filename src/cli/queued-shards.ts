import { describeShard, doQueued, type Plan } from "../queue/index.ts";
import type { CommandContext } from "./command.ts";
import { NegativeOutcome } from "./failure.ts";
import { Interrupted } from "./interrupt.ts";
import { openQueue } from "./open-queue.ts";
import { note } from "./output.ts";
import { plural } from "./watch.ts";
import { watchWorkers } from "./watch-workers.ts";

export interface QueuedShardsOptions {
  readonly title: string;
  readonly tries?: number | undefined;
  readonly priority?: number | undefined;
  readonly upload?: boolean | undefined;
  readonly quiet?: boolean | undefined;
  readonly stop: CommandContext;
}

/** Has workers do a plan, shows how far they are, and ends with an error where shards were set aside. */
export async function runQueued(url: string, folder: string, plan: Plan, options: QueuedShardsOptions): Promise<void> {
  const { title, quiet, stop } = options;
  const client = await openQueue(url, options, stop.signal);
  const total = plan.shards.length;
  const watched = watchWorkers(client, { title, unit: "shards", total, quiet });
  stop.allowTime();
  try {
    const see = ({ done, setAside }: { readonly done: number; readonly setAside: number }): void =>
      watched.update(done, setAside);
    const { done, setAside } = await doQueued(client, folder, plan, { see, upload: options.upload });
    watched.finish();
    if (!quiet) note(`${folder}: ${done.size} of ${plural(total, "shard")} done`);
    const [first] = setAside;
    if (first === undefined) return;
    throw new NegativeOutcome(
      `${folder}: ${plural(setAside.length, "shard")} of ${total} set aside (set-aside.jsonl), the first: ` +
        `${describeShard(plan.shards[first.shard]!)}: ${first.reason}; the same command tries them again`,
    );
  } catch (error) {
    if (error instanceof Interrupted && !quiet)
      note(`${folder}: interrupted; workers finish the shards they have, and the same command goes on`);
    throw error;
  } finally {
    watched.finish();
    await client.close();
  }
}
