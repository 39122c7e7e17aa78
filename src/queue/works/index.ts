import { InputError, unknownName } from "../../util/errors.ts";
import { own } from "../../util/own.ts";
import type { ShardWork } from "./shard-work.ts";

/** What can be done shard by shard, loaded when it is asked for. New work is one file and one line. */
const works: Readonly<Record<string, () => Promise<ShardWork>>> = {
  tag: async () => (await import("./tag.ts")).tagWork,
  label: async () => (await import("./label.ts")).labelWork,
};

export async function shardWork(name: string): Promise<ShardWork> {
  const load = own(works, name);
  if (load === undefined) throw new InputError(`unknown work ${unknownName(name, Object.keys(works))}`);
  return load();
}
