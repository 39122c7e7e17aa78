import {
  doShare,
  makePlan,
  mergeShards,
  type Plan,
  placePlan,
  readPlan,
  removeShards,
  type ShardRecord,
  shardsFolder,
} from "../queue/index.ts";
import { makeFolder } from "../util/make-folder.ts";
import type { CommandContext } from "./command.ts";
import { Interrupted } from "./interrupt.ts";
import { describeLosses, note } from "./output.ts";
import { grouped, progress } from "./progress.ts";
import { inputFile } from "./reading.ts";
import { defaultShardSize, type ShardFlags } from "./sharding.ts";
import { describeSize, plural } from "./watch.ts";

/** A command that is done in shards. */
export interface ShardedCommand {
  /** A name of the table of shard works. */
  readonly work: string;
  /** What is going on, for the progress: `tagging`. */
  readonly title: string;
  readonly flags: ShardFlags & {
    readonly in: string;
    readonly out: string;
    readonly from?: string;
    readonly encoding?: string | undefined;
    readonly quiet?: boolean;
  };
  /** The format of an input that looks like none. */
  readonly fallback?: string;
  readonly ending: string;
  readonly threads: number;
  /** The size that shards have where one was asked for. */
  sizeOf?(wanted: number): number;
  /** The settings of the work; files of its own go into the folder. */
  settings(folder: string): Promise<Readonly<Record<string, unknown>>>;
}

/** Does what was asked for: a share of the shards here, all of them by workers, or joining what is there. */
export async function runSharded(command: ShardedCommand, stop: CommandContext): Promise<void> {
  const { flags } = command;
  const folder = shardsFolder(flags.out);
  const isOnlyMerge = flags.shard === undefined && flags.queue === undefined;
  const plan = isOnlyMerge ? await readPlan(folder) : await planned(command, folder);
  stop.signal.throwIfAborted();
  if (!isOnlyMerge) await work(command, folder, plan, stop);
  if (!flags.merge) return;
  const records = await mergeShards(folder, plan, flags.out);
  if (!flags.keepShards) await removeShards(folder);
  if (flags.quiet) return;
  tellLosses(records, flags.out);
  note(`${flags.out}: ${describeSize(totalOf(records))}, from ${plural(records.length, "shard")}`);
}

async function planned(command: ShardedCommand, folder: string): Promise<Plan> {
  const { flags, fallback, ending, sizeOf = (wanted) => wanted } = command;
  await makeFolder(folder);
  const { path, format } = inputFile(flags.in, flags.from);
  const plan = await makePlan(path, command.work, await command.settings(folder), {
    size: sizeOf(flags.shardSize ?? defaultShardSize),
    format,
    encoding: flags.encoding,
    fallback,
    ending,
  });
  await placePlan(folder, plan);
  return plan;
}

async function work(command: ShardedCommand, folder: string, plan: Plan, stop: CommandContext): Promise<void> {
  const { flags, title, threads } = command;
  if (flags.queue !== undefined) {
    const { runQueued } = await import("./queued-shards.ts");
    return runQueued(flags.queue, folder, plan, { ...flags, title, stop });
  }
  const share = flags.shard!;
  const total = Math.ceil((plan.shards.length - share.index) / share.of);
  const bar = progress(title, { unit: "shards", total, quiet: flags.quiet });
  const started = Date.now();
  const see = ({ done, documents }: { readonly done: number; readonly documents: number }): void =>
    bar.update(done, `${grouped(Math.round((1000 * documents) / Math.max(1, Date.now() - started)))} documents/s`);
  stop.allowTime();
  try {
    const done = await doShare(folder, plan, share, { threads, signal: stop.signal, see });
    bar.finish();
    if (flags.quiet) return;
    const records = [...done.values()];
    tellLosses(records, folder);
    note(
      `${folder}: ${plural(records.length, "shard")} of ${grouped(plan.shards.length)} are those of share ` +
        `${share.index}/${share.of}, and done: ${describeSize(totalOf(records))}`,
    );
  } catch (error) {
    if (error instanceof Interrupted && !flags.quiet) note(`${folder}: interrupted; the same command goes on`);
    throw error;
  } finally {
    bar.finish();
  }
}

function totalOf(records: readonly ShardRecord[]) {
  const sum = (key: "documents" | "sentences" | "tokens" | "entities"): number =>
    records.reduce((total, record) => total + record[key], 0);
  return { documents: sum("documents"), sentences: sum("sentences"), tokens: sum("tokens"), entities: sum("entities") };
}

/** What had to be left out and what could not be read as it was meant, over all shards. */
function tellLosses(records: readonly ShardRecord[], file: string): void {
  for (const key of ["notices", "losses"] as const) {
    const found = new Map<string, { count: number; example: string }>();
    for (const { what, count, example } of records.flatMap((record) => record[key])) {
      const known = found.get(what);
      if (known === undefined) found.set(what, { count, example });
      else known.count += count;
    }
    const losses = [...found].map(([what, loss]) => ({ what, ...loss }));
    if (key === "losses") for (const line of describeLosses(losses, file)) note(line);
    else
      for (const { what, count, example } of losses) note(`${file}: ${what} (${grouped(count)}), such as ${example}`);
  }
}
