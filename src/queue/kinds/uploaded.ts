import { readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { makeFolder } from "../../util/make-folder.ts";
import { assertPlainName } from "../../util/regular-file.ts";
import type { Blobs } from "../blobs.ts";
import { openWork, shardPieces } from "../do-shard.ts";
import { endingSchema } from "../plan.ts";
import { type ShardCounts, writeShard } from "../shards-folder.ts";
import { mapTexts, placeOfUpload, uploadMark } from "../upload-mark.ts";
import { settingsOf } from "../works/settings.ts";
import type { OpenedWork } from "../works/shard-work.ts";
import { documentTeller } from "./document-teller.ts";
import type { JobKind } from "./job-kind.ts";

const schema = z.strictObject({
  plan: z.string().regex(/^[0-9a-f]+$/),
  work: z.string(),
  ending: endingSchema,
  settings: z.record(z.string(), z.unknown()),
  /** Bytes of the files that the settings name, by their marked paths. */
  uploads: z.record(z.string().startsWith(uploadMark), z.string()),
  /** Bytes of the shard, and the name of the file they are of. */
  text: z.string(),
  name: z.string(),
  /** Where the shard begins in that file. */
  origin: z.number(),
  format: z.string(),
});
export type UploadedOrders = z.output<typeof schema>;
export type UploadedResult = ShardCounts & { readonly output: string; readonly text: string };

/** A shard whose bytes, and all that it needs, come over the queue, and whose output goes back over it. */
export const uploaded: JobKind = {
  steady: true,
  async work(given, { signal, threads, tell, blobs, scratch }) {
    const orders = settingsOf(schema, given);
    const store = await blobs();
    const folder = join(await scratch(), orders.plan);
    const opened = await openedFor(orders, folder, store, threads);
    assertPlainName(orders.name, folder);
    const file = join(folder, orders.name);
    const bytes = await store.get(orders.text);
    await writeFile(file, bytes);
    const shard = { file, format: orders.format, start: 0, end: bytes.length };
    const plan = {
      key: orders.plan,
      work: orders.work,
      settings: {},
      ending: orders.ending,
      files: [],
      shards: [shard],
    };
    const { seen, finish } = documentTeller(tell);
    const pieces = shardPieces(shard, opened, { signal, origin: orders.origin, seen });
    const {
      output,
      plan: _,
      shard: number,
      sha256,
      bytes: size,
      ...counts
    } = await writeShard(folder, plan, 0, pieces);
    finish();
    const sent = await store.put(await readFile(join(folder, output)));
    for (const name of [file, join(folder, output)]) await rm(name, { force: true });
    return { ...counts, output: sent, text: orders.text } satisfies UploadedResult;
  },
};

let current: { readonly key: string; readonly opened: OpenedWork } | undefined;

async function openedFor(orders: UploadedOrders, folder: string, blobs: Blobs, threads: number): Promise<OpenedWork> {
  if (current?.key === orders.plan) return current.opened;
  await current?.opened.close();
  current = undefined;
  const placeOf = (path: string): string => placeOfUpload(path, join(folder, "files"));
  await makeFolder(folder);
  for (const [path, hash] of Object.entries(orders.uploads)) {
    await makeFolder(dirname(placeOf(path)));
    await writeFile(placeOf(path), await blobs.get(hash));
  }
  const place = (text: string): string => (text.startsWith(uploadMark) ? placeOf(text) : text);
  const settings = mapTexts(orders.settings, place) as UploadedOrders["settings"];
  current = { key: orders.plan, opened: await openWork({ work: orders.work, settings }, { threads }) };
  return current.opened;
}
