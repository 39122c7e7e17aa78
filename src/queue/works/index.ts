import { labelWork } from "./label.ts";
import type { ShardWork } from "./shard-work.ts";
import { tagWork } from "./tag.ts";

/** What can be done shard by shard. */
export const shardWorks: Readonly<Record<string, ShardWork>> = { tag: tagWork, label: labelWork };
