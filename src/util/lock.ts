import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "./errors.ts";
import { isAlive, ownName, ownNamePattern } from "./process-identity.ts";

export interface LockOptions {
  /** Milliseconds to wait for another process: one whose study was killed writes a checkpoint before it ends. */
  readonly patience?: number;
  readonly signal?: AbortSignal;
  /** What the lock is called in the folder. */
  readonly name?: string;
  /** What the process works on, for the message. */
  readonly what?: string;
}

/** Works in a folder that no other process works in. A process that died cannot hold a folder. */
export async function alone<T>(
  directory: string,
  work: () => Promise<T>,
  { patience = 30_000, signal, name = "process", what = "run" }: LockOptions = {},
): Promise<T> {
  const file = join(directory, name);
  const deadline = Date.now() + patience;
  const own = ownName();
  while (!(await claim(file, own))) {
    const holder = await holderOf(file);
    if (holder !== undefined && isDead(holder)) await release(file, holder, own);
    else if (holder !== undefined && Date.now() > deadline)
      throw new InputError(`another process works on this ${what} (${describe(holder)})`, { file: directory });
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
async function claim(file: string, own: string): Promise<boolean> {
  const draft = `${file}.draft-${own}`;
  await writeFile(draft, own);
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await rm(draft);
  }
}

/**
 * Takes away the lock of a process that died. Of several that find it, one alone may, the one that holds the lock on
 * this lock: another would take away the new lock of the first.
 */
async function release(file: string, dead: string, own: string): Promise<void> {
  const right = `${file}.of-${dead}`;
  if (await claim(right, own)) {
    try {
      if ((await holderOf(file)) === dead) await rm(file, { force: true });
    } finally {
      await rm(right, { force: true });
    }
    return;
  }
  const other = await holderOf(right);
  if (other !== undefined && isDead(other)) await release(right, other, own);
}

/** Who holds a lock: `nobody` where the file is none, since every lock appears with its content; nothing when it is gone. */
async function holderOf(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  return text === undefined || ownNamePattern.test(text) ? text : nobody;
}

const nobody = "nobody";

function isDead(holder: string): boolean {
  return holder === nobody || isAlive(holder) === false;
}

function describe(holder: string): string {
  const [, id] = holder.split("-");
  return isAlive(holder) === undefined ? `${id} on another machine` : `${id}`;
}
