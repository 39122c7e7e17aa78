import { open, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { InputError } from "../util/errors.ts";
import type { Blobs } from "./blobs.ts";
import type { Shard } from "./cut-file.ts";
import type { UploadedOrders, UploadedResult } from "./kinds/uploaded.ts";
import type { Plan } from "./plan.ts";
import { type ShardRecord, writeShard } from "./shards-folder.ts";
import { mapTexts, uploadMark } from "./upload-mark.ts";
import { shardWork } from "./works/index.ts";

/** Sends shards and what they need through the queue, and puts what comes back into the folder. */
export interface Uploader {
  orders(number: number): Promise<UploadedOrders>;
  place(number: number, result: UploadedResult): Promise<ShardRecord>;
}

export async function openUploader(folder: string, plan: Plan, blobs: Blobs): Promise<Uploader> {
  const files = await (await shardWork(plan.work)).files(plan.settings);
  const sent: Record<string, string> = {};
  for (const file of files) sent[file] = await blobs.put(await readFile(file));
  const isSent = (text: string): boolean => files.some((file) => file === text || file.startsWith(`${text}/`));
  const mark = (text: string): string => (isSent(text) ? `${uploadMark}${text}` : text);
  const settings = mapTexts(plan.settings, mark) as Plan["settings"];
  return {
    async orders(number) {
      const shard = plan.shards[number]!;
      const text = await blobs.put(await bytesOf(shard));
      const uploads = Object.fromEntries(Object.entries(sent).map(([file, hash]) => [`${uploadMark}${file}`, hash]));
      const { key, work, ending } = plan;
      return {
        plan: key,
        work,
        ending,
        settings,
        uploads,
        text,
        name: basename(shard.file),
        origin: shard.start,
        format: shard.format,
      };
    },
    async place(number, { output, text, ...counts }) {
      const bytes = await blobs.get(output);
      async function* pieces() {
        yield bytes.toString("utf8");
        return counts;
      }
      const record = await writeShard(folder, plan, number, pieces());
      if (record.sha256 !== output) throw new InputError("--upload: an output came back damaged");
      for (const hash of [output, text]) await blobs.remove(hash);
      return record;
    },
  };
}

async function bytesOf({ file, start, end }: Shard): Promise<Buffer> {
  const handle = await open(file);
  try {
    const bytes = Buffer.alloc(end - start);
    await handle.read(bytes, 0, bytes.length, start);
    return bytes;
  } finally {
    await handle.close();
  }
}
