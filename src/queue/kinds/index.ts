import { InputError, unknownName } from "../../util/errors.ts";
import { own } from "../../util/own.ts";
import type { JobKind } from "./job-kind.ts";

/** Every kind of job, loaded when the first of it comes. A new kind is one file and one line. */
const kinds: Readonly<Record<string, () => Promise<JobKind>>> = {
  shard: async () => (await import("./shard.ts")).shard,
  uploaded: async () => (await import("./uploaded.ts")).uploaded,
  run: async () => (await import("./run.ts")).run,
  fold: async () => (await import("./fold.ts")).fold,
};

export async function jobKind(name: string): Promise<JobKind> {
  const load = own(kinds, name);
  if (load === undefined) throw new InputError(`unknown kind of job ${unknownName(name, Object.keys(kinds))}`);
  return load();
}
