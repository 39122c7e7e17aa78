import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeTextAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { makeFolder } from "../util/make-folder.ts";
import { refuseWriting } from "../util/output-target.ts";
import { readTextFile } from "../util/regular-file.ts";
import { withTemporary } from "../util/temporary.ts";
import { type Plan, planSchema } from "./plan.ts";

const lossSchema = z.object({ what: z.string(), count: z.number(), example: z.string() });

/** What is known of a shard that is done: a line of the manifest. */
export const recordSchema = z.object({
  plan: z.string(),
  shard: z.number(),
  /** The file of the output: the hash of its content, and the ending. */
  output: z.string().regex(/^[0-9a-f]{32}[^/\\\0]*$/),
  sha256: z.string(),
  bytes: z.number(),
  documents: z.number(),
  sentences: z.number(),
  tokens: z.number(),
  entities: z.number(),
  losses: z.array(lossSchema),
  notices: z.array(lossSchema),
});
export type ShardRecord = z.output<typeof recordSchema>;
export type ShardCounts = Omit<ShardRecord, "plan" | "shard" | "output" | "sha256" | "bytes">;

/** Where the outputs for a file are kept until they are joined. */
export function shardsFolder(out: string): string {
  return `${out}.shards`;
}

/** Puts a plan into its folder, or finds it there; another one there is an error, since outputs of two would be mixed. */
export async function placePlan(folder: string, plan: Plan): Promise<void> {
  await makeFolder(folder);
  if (existsSync(planFile(folder))) {
    const { key } = await readPlan(folder);
    if (key === plan.key) return;
    throw new InputError(
      "holds shards of other inputs, settings or a changed model; remove the folder, or give another --out",
      { file: folder },
    );
  }
  await writeTextAtomically(planFile(folder), `${JSON.stringify(plan)}\n`);
}

export async function readPlan(folder: string): Promise<Plan> {
  return read(planFile(folder), planSchema, "a plan of shards");
}

/** The record of a shard, if it is done. */
export async function recordOf(folder: string, plan: Plan, shard: number): Promise<ShardRecord | undefined> {
  const file = recordFile(folder, shard);
  if (!existsSync(file)) return undefined;
  const record = await read(file, recordSchema, "the record of a shard");
  return record.plan === plan.key && existsSync(join(folder, record.output)) ? record : undefined;
}

/** Writes the output of a shard under the name that its content has, then its record: a shard with a record is done. */
export async function writeShard(
  folder: string,
  plan: Plan,
  shard: number,
  batches: AsyncGenerator<string, ShardCounts, undefined>,
): Promise<ShardRecord> {
  const hash = createHash("sha256");
  let bytes = 0;
  let counts: ShardCounts | undefined;
  async function* counted(): AsyncGenerator<string, void, undefined> {
    counts = yield* batches;
  }
  return withTemporary(join(folder, "shard"), async (temporary) => {
    const file = await open(temporary, "wx").catch((error) => refuseWriting(error, temporary));
    try {
      for await (const batch of counted()) {
        const buffer = Buffer.from(batch);
        hash.update(buffer);
        bytes += buffer.length;
        await file.writeFile(buffer);
      }
      await file.sync();
    } finally {
      await file.close();
    }
    const sha256 = hash.digest("hex");
    const output = `${sha256.slice(0, 32)}${plan.ending}`;
    await rename(temporary, join(folder, output));
    const record: ShardRecord = { plan: plan.key, shard, output, sha256, bytes, ...counts! };
    await writeTextAtomically(recordFile(folder, shard), `${JSON.stringify(record)}\n`);
    return record;
  });
}

/** The numbers of the shards that are done. One look at the folder: there may be many thousands. */
export async function doneShards(folder: string, plan: Plan): Promise<Map<number, ShardRecord>> {
  const done = new Map<number, ShardRecord>();
  for (const name of await readdir(folder)) {
    const found = recordName.exec(name);
    const record = found && (await recordOf(folder, plan, Number(found[1])));
    if (record) done.set(record.shard, record);
  }
  return done;
}

const recordName = /^shard-(\d+)\.json$/;

function recordFile(folder: string, shard: number): string {
  return join(folder, `shard-${String(shard).padStart(6, "0")}.json`);
}

function planFile(folder: string): string {
  return join(folder, "plan.json");
}

async function read<T>(file: string, schema: z.ZodType<T>, what: string): Promise<T> {
  const parsed = schema.safeParse(parseJson(await readTextFile(file), what, { file }));
  if (parsed.success) return parsed.data;
  throw new InputError(`not ${what}; remove it`, { file });
}
