import { mkdir, readdir, realpath, rename, rmdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError } from "./errors.ts";
import { withTemporary } from "./temporary.ts";

/** Refuses a directory that already holds something. */
export async function refuseUsed(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    if (error.code === "ENOTDIR")
      throw new InputError("expected a directory to write, got a file", { file: directory });
    throw error;
  });
  if (entries.length > 0) throw new InputError("the directory to write exists and is not empty", { file: directory });
}

/** Fills a folder beside a directory, which was empty or not there, and puts it in its place as a whole. */
export async function writeFolder(directory: string, fill: (folder: string) => Promise<void>): Promise<void> {
  const path = resolve(directory);
  await mkdir(dirname(path), { recursive: true });
  const there = await realpath(path).catch(() => undefined);
  const target = there ?? path;
  await withTemporary(target, async (temporary) => {
    await mkdir(temporary);
    await fill(temporary);
    if (there !== undefined) await rmdir(there);
    await rename(temporary, target);
  });
}
