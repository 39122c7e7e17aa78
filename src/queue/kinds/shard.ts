import { z } from "zod";
import { doShard, openWork } from "../do-shard.ts";
import type { Plan } from "../plan.ts";
import { readPlan } from "../shards-folder.ts";
import { settingsOf } from "../works/settings.ts";
import type { OpenedWork } from "../works/shard-work.ts";
import { documentTeller } from "./document-teller.ts";
import type { JobContext, JobKind } from "./job-kind.ts";

const schema = z.strictObject({ plan: z.string(), folder: z.string(), shard: z.number() });
export type ShardOrders = z.output<typeof schema>;

/** A shard of a plan; a process keeps the work of its last plan open. */
export const shard: JobKind = {
  steady: true,
  async work(given, { signal, threads, tell, assertAllowed }) {
    const orders = settingsOf(schema, given);
    const { plan, opened } = await openedFor(orders, threads, assertAllowed);
    const { seen, finish } = documentTeller(tell);
    const { documents } = await doShard(orders.folder, plan, orders.shard, opened, { signal, seen });
    finish();
    return { documents };
  },
};

let current: { readonly key: string; readonly plan: Plan; readonly opened: OpenedWork } | undefined;

async function openedFor(
  { plan: key, folder }: ShardOrders,
  threads: number,
  assertAllowed: JobContext["assertAllowed"],
) {
  if (current?.key === `${folder} ${key}`) return current;
  await current?.opened.close();
  current = undefined;
  const plan = await readPlan(folder);
  await assertAllowed([plan.settings, plan.files, plan.shards]);
  current = { key: `${folder} ${key}`, plan, opened: await openWork(plan, { threads }) };
  return current;
}
