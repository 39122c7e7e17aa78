import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import type { Plan } from "./plan.ts";
import { doneShards, type ShardRecord } from "./shards-folder.ts";

/** Joins the outputs of all shards in order; what is not there, or not as it was written, is an error. */
export async function mergeShards(folder: string, plan: Plan, out: string): Promise<readonly ShardRecord[]> {
  const done = await doneShards(folder, plan);
  const missing = Array.from(plan.shards.keys()).filter((number) => !done.has(number));
  if (missing.length > 0)
    throw new InputError(
      `${missing.length} of ${plan.shards.length} shards are missing (${listed(missing)}); run them first, with --shard or --queue`,
      { file: folder },
    );
  const records = Array.from(plan.shards.keys(), (number) => done.get(number)!);
  await writeAtomically(out, async (file) => {
    for (const { output, sha256 } of records) {
      const hash = createHash("sha256");
      const path = join(folder, output);
      for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        await file.writeFile(chunk);
      }
      if (hash.digest("hex") !== sha256)
        throw new InputError("is not what was written: remove it and run its shard again", { file: path });
    }
  });
  return records;
}

/** Takes the shards away once they are joined. */
export function removeShards(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true });
}

const mostListed = 8;

function listed(numbers: readonly number[]): string {
  const rest = numbers.length > mostListed ? ", …" : "";
  return numbers.slice(0, mostListed).join(", ") + rest;
}
