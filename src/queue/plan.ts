import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { z } from "zod";
import { InputError } from "../util/errors.ts";
import { filesLike } from "../util/glob.ts";
import { packageVersion } from "../util/version.ts";
import { type CutOptions, cutFile, type Shard } from "./cut-file.ts";

const shardSchema = z.object({ file: z.string(), format: z.string(), start: z.number(), end: z.number() });

/** The ending of a file, which leads into no other folder. */
export const endingSchema = z.string().regex(/^[^/\\\0]{0,40}$/);

/** What is done to which parts of which files: all that a machine must know to do its share. */
export const planSchema = z.object({
  /** Tells this plan from any other: outputs are its own while nothing that shapes them changes. */
  key: z.string(),
  /** A name of the table of shard works. */
  work: z.string(),
  settings: z.record(z.string(), z.unknown()),
  /** The ending of the outputs. */
  ending: endingSchema,
  files: z.array(z.object({ file: z.string(), bytes: z.number(), modified: z.number() })),
  shards: z.array(shardSchema),
});
export type Plan = z.output<typeof planSchema>;

export interface PlanOptions extends CutOptions {
  readonly ending: string;
}

export async function makePlan(
  pattern: string,
  work: string,
  settings: Readonly<Record<string, unknown>>,
  { ending, ...cutting }: PlanOptions,
): Promise<Plan> {
  const files: Plan["files"][number][] = [];
  const shards: Shard[] = [];
  for (const file of await inputFiles(pattern)) {
    const path = resolve(file);
    shards.push(...(await cutFile(path, cutting)));
    const { size, mtimeMs } = await stat(path);
    files.push({ file: path, bytes: size, modified: Math.round(mtimeMs) });
  }
  const plain = JSON.parse(JSON.stringify(settings)) as Plan["settings"];
  const identity = JSON.stringify([packageVersion(), work, plain, ending, files, shards]);
  const key = createHash("sha256").update(identity).digest("hex").slice(0, 16);
  return { key, work, settings: plain, ending, files, shards };
}

/** The files of a pattern; none at all is a mistake. */
export async function inputFiles(pattern: string): Promise<string[]> {
  const files = await filesLike(pattern);
  if (files.length === 0) throw new InputError("no file has such a name", { file: pattern });
  return files;
}

/** Which share of the shards this process does, of how many. */
export interface Share {
  readonly index: number;
  readonly of: number;
}

/** The numbers of the shards of a share: every n-th, so that shares are of like size whatever the order of the files. */
export function sharedOut(plan: Plan, { index, of }: Share): number[] {
  return Array.from(plan.shards.keys()).filter((number) => number % of === index);
}

/** `news.txt, bytes 0 to 67,108,864` */
export function describeShard({ file, start, end }: Shard): string {
  return `${file}, bytes ${start} to ${end}`;
}
