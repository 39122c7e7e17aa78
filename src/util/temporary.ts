import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isAlive, ownName, ownNamePattern } from "./process-identity.ts";

/** Temporary files and folders of this process, for the case that it has to end at once. */
const live = new Set<string>();

/**
 * Lets work fill a temporary file or folder beside `path`, which is gone when the work is over or fails. Those of
 * processes that were killed are removed first.
 */
export async function withTemporary<T>(path: string, work: (temporary: string) => Promise<T>): Promise<T> {
  const folder = dirname(path);
  const prefix = `.${shortened(basename(path))}.`;
  await sweep(folder, prefix, ".tmp");
  return held(join(folder, `${prefix}${ownName()}.tmp`), work);
}

/** A name among the temporary files of the system, for a caller who makes the folder and takes it away with `forget`. */
export async function scratchName(folder: string): Promise<string> {
  await sweep(folder, "lacuna-", "");
  const name = join(folder, `lacuna-${ownName()}`);
  live.add(name);
  return name;
}

export async function forget(temporary: string): Promise<void> {
  await rm(temporary, { recursive: true, force: true });
  live.delete(temporary);
}

/** Removes what this process has not finished; for a process that is about to be killed. */
export function removeLiveTemporaries(): void {
  for (const path of live) {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // The next run removes it.
    }
  }
}

async function held<T>(temporary: string, work: (temporary: string) => Promise<T>): Promise<T> {
  live.add(temporary);
  try {
    return await work(temporary);
  } finally {
    await forget(temporary);
  }
}

const swept = new Set<string>();

/** Removes what killed processes left, once in the life of a process for each name. */
async function sweep(folder: string, prefix: string, suffix: string): Promise<void> {
  const key = join(folder, prefix);
  if (swept.has(key)) return;
  swept.add(key);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(prefix) || !name.endsWith(suffix)) continue;
    const middle = name.slice(prefix.length, name.length - suffix.length);
    if (!wholeName.test(middle)) continue;
    const path = join(folder, name);
    const alive = isAlive(middle) ?? (await isRecent(path));
    if (!alive) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

const wholeName = new RegExp(`^${ownNamePattern.source}$`);
const aDay = 24 * 60 * 60 * 1000;

/** Whether something is too new to be taken for a leftover of another machine. */
async function isRecent(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found === undefined || Date.now() - found.mtimeMs < aDay;
}

/** Names have at most 255 bytes; a long one leaves no room for what is put around it. */
function shortened(name: string): string {
  if (Buffer.byteLength(name) <= 160) return name;
  return createHash("sha256").update(name).digest("hex").slice(0, 32);
}
