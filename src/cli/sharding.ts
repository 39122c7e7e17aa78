import { InvalidArgumentError, Option } from "commander";
import type { Share } from "../queue/index.ts";
import { InputError } from "../util/errors.ts";
import { isStandardOutput } from "../util/output-target.ts";
import { countingNumber } from "./options.ts";

/** Bytes of a shard: some seconds to minutes of work, so that little is lost with a machine and little spent on asking. */
export const defaultShardSize = 64 << 20;

/** Flags of a command whose input can be worked on in shards. */
export interface ShardFlags {
  readonly shard?: Share;
  readonly shardSize?: number;
  readonly merge?: boolean;
  readonly keepShards?: boolean;
  readonly queue?: string;
  readonly tries?: number;
  readonly priority?: number;
  readonly upload?: boolean;
}

export function shardOptions(): Option[] {
  return [
    new Option("--shard <i/n>", "do share i of n, counted from 0, of the input's shards into OUT.shards")
      .argParser(share)
      .conflicts("queue"),
    new Option("--shard-size <size>", "about how much of a file is a shard, such as 64MB (default: 64MB)").argParser(
      size,
    ),
    new Option("--merge", "join the shards in OUT.shards, in order, into OUT"),
    new Option("--keep-shards", "keep OUT.shards after --merge"),
    ...queueOptions(),
    new Option("--upload", "send the text through the queue, for workers that do not see the files; for small inputs"),
  ];
}

/** Flags of a command whose work can be put on a queue. */
export function queueOptions(): Option[] {
  return [
    new Option("--queue <url>", "let workers do it: redis://HOST:PORT, or rediss:// (TLS)"),
    new Option("--tries <n>", "on the queue, set work aside after so many failures (default: 3)").argParser(
      countingNumber,
    ),
    new Option("--priority <n>", "on the queue, 1 goes first (default: 10)").argParser(countingNumber),
  ];
}

/** Whether the work is to be done in shards that stay, instead of in one go. */
export function isSharded({ shard, queue, merge }: ShardFlags): boolean {
  return shard !== undefined || queue !== undefined || merge === true;
}

/** Refuses flags that say nothing without others, and what cannot be done in shards. */
export function assertSharding(name: string, flags: ShardFlags & { readonly in: string; readonly out: string }): void {
  const { queue, upload, keepShards, merge, tries, priority } = flags;
  const needs = (flag: string, given: unknown, other: string, there: unknown): void => {
    if (given && !there) throw new InputError(`${name}: ${flag} needs ${other}`);
  };
  needs("--upload", upload, "--queue URL", queue);
  needs("--tries", tries, "--queue URL", queue);
  needs("--priority", priority, "--queue URL", queue);
  needs("--keep-shards", keepShards, "--merge", merge);
  if (!isSharded(flags)) return;
  if (isStandardOutput(flags.out))
    throw new InputError(`${name}: shards are kept in a folder beside the output; name a file with --out`);
  if (flags.in === "-")
    throw new InputError(`${name}: standard input cannot be cut into shards; give a file with --in`);
}

function share(text: string): Share {
  const found = /^(\d+)\/(\d+)$/.exec(text);
  const [index, of] = [Number(found?.[1]), Number(found?.[2])];
  if (found === null || !(index < of))
    throw new InvalidArgumentError("Expected I/N with I from 0 to N-1, such as 0/16 for the first of sixteen.");
  return { index, of };
}

const units: Readonly<Record<string, number>> = { "": 1, K: 1 << 10, M: 1 << 20, G: 1 << 30 };

/** `64MB`, `1GB`, `1000`: bytes. */
export function size(text: string): number {
  const found = /^(\d+(?:\.\d+)?)\s*([KMG]?)B?$/i.exec(text);
  const value = found === null ? Number.NaN : Math.round(Number(found[1]) * units[found[2]!.toUpperCase()]!);
  if (!(value >= 1)) throw new InvalidArgumentError("Expected a size such as 64MB.");
  return value;
}
