import { stat } from "node:fs/promises";
import { batched, type Loss } from "../formats/index.ts";
import { sizeCounter } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { blocksOf } from "./blocks.ts";
import type { Shard } from "./cut-file.ts";
import type { Plan } from "./plan.ts";
import { recordOf, type ShardCounts, type ShardRecord, writeShard } from "./shards-folder.ts";
import { shardWork } from "./works/index.ts";
import type { OpenedWork, WorkOptions } from "./works/shard-work.ts";

export interface ShardOptions {
  readonly signal?: AbortSignal | undefined;
  /** Is told how many documents have gone through. */
  readonly seen?: ((documents: number) => void) | undefined;
  /** Where the file of the shard begins in the one that was planned, if it is a part of it. */
  readonly origin?: number | undefined;
}

/** Opens the work of a plan. */
export async function openWork(
  { work, settings }: Pick<Plan, "work" | "settings">,
  options: WorkOptions,
): Promise<OpenedWork> {
  return (await shardWork(work)).open(settings, options);
}

/**
 * Does a shard and writes its output, unless that is there already. The output is a pure function of the shard's bytes
 * and the plan, so it does not matter who does it, nor how often.
 */
export async function doShard(
  folder: string,
  plan: Plan,
  number: number,
  opened: OpenedWork,
  options: ShardOptions = {},
): Promise<ShardRecord> {
  const before = await recordOf(folder, plan, number);
  if (before !== undefined) return before;
  const shard = plan.shards[number];
  if (shard === undefined)
    throw new InputError(`expected a shard from 0 to ${plan.shards.length - 1}, got ${number}`, { file: folder });
  await assertUnchanged(plan, shard);
  return writeShard(folder, plan, number, shardPieces(shard, opened, options));
}

/** The text that a shard becomes, in batches, then what was counted on the way. */
export async function* shardPieces(
  shard: Shard,
  opened: OpenedWork,
  { signal, seen, origin }: ShardOptions,
): AsyncGenerator<string, ShardCounts, undefined> {
  const notices = new Map<string, { count: number; example: string }>();
  const onNotice = (what: string, example: string): void => {
    const known = notices.get(what);
    if (known === undefined) notices.set(what, { count: 1, example });
    else known.count++;
  };
  const blocks = blocksOf(shard, { ...opened.reading, onNotice }, origin);
  const counter = sizeCounter();
  let count = 0;
  const { pieces, losses } = opened.pieces(blocks, {
    format: shard.format,
    seen(document) {
      signal?.throwIfAborted();
      counter.add(document);
      seen?.(++count);
    },
  });
  yield* batched(pieces);
  const found: Loss[] = [...notices].map(([what, notice]) => ({ what, ...notice }));
  return { ...counter.size(), losses: [...losses()], notices: found };
}

/** A file that grew or shrank was cut at places that are no borders any more. */
async function assertUnchanged({ files }: Plan, { file }: Shard): Promise<void> {
  const planned = files.find((each) => each.file === file);
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) throw new InputError("no such file here: is its folder shared?", { file });
  if (found.isFile() && found.size !== planned?.bytes)
    throw new InputError(`had ${planned?.bytes} bytes when the work was planned, has ${found.size} now; plan anew`, {
      file,
    });
}
