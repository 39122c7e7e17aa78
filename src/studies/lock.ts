import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../util/errors.ts";

export interface LockOptions {
  /** Milliseconds to wait for another process: one whose study was killed writes a checkpoint before it ends. */
  readonly patience?: number;
  readonly signal?: AbortSignal;
}

/** Works in a folder that no other process works in. A process that died cannot hold a folder. */
export async function alone<T>(
  directory: string,
  work: () => Promise<T>,
  { patience = 30_000, signal }: LockOptions = {},
): Promise<T> {
  const file = join(directory, "process");
  const deadline = Date.now() + patience;
  while (!(await claim(file))) {
    const holder = await holderOf(file);
    if (holder === undefined) await rm(file, { force: true });
    else if (Date.now() > deadline)
      throw new InputError(`another process works on this run (${holder})`, { file: directory });
    else await new Promise((resolve) => setTimeout(resolve, 50));
    signal?.throwIfAborted();
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** The lock appears with its content, so that nobody takes it for the lock of a process that died. */
async function claim(file: string): Promise<boolean> {
  const own = `${file}.${randomUUID()}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(own);
  }
}

/** The number of the process that holds a lock, if it is alive. */
async function holderOf(file: string): Promise<number | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  const id = Number(text);
  return id > 0 && isAlive(id) ? id : undefined;
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
