import type { Stats } from "node:fs";
import { constants, type FileHandle, open, rename } from "node:fs/promises";
import { InputError } from "./errors.ts";
import { machineErrors, outputTarget, refuseWriting } from "./output-target.ts";
import { withTemporary } from "./temporary.ts";

/**
 * Writes a file as a whole or not at all: into a temporary file beside it, which then takes its place with the mode and
 * the owner of what was there. A symbolic link is followed; a FIFO or a device is written to as it is.
 */
export async function writeAtomically(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const target = await outputTarget(path);
  if (target.kind === "stream") {
    const flags = constants.O_WRONLY | (target.append ? constants.O_APPEND : 0);
    const file = await open(target.path, flags).catch((error) => refuseWriting(error, path));
    return finish(file, write, path);
  }
  await withTemporary(target.path, async (temporary) => {
    const stats = target.kind === "file" ? target.stats : undefined;
    // What replaces a private file is private from the beginning.
    const file = await open(temporary, "wx", stats === undefined ? 0o666 : 0o600).catch((error) =>
      refuseWriting(error, path),
    );
    await finish(
      file,
      async () => {
        if (stats !== undefined) await keepOwner(file, stats, path);
        await write(file);
        if (stats !== undefined) await file.chmod(stats.mode & 0o777);
        await file.sync();
      },
      path,
    );
    await rename(temporary, target.path).catch((error) => refuseWriting(error, path));
  });
}

export function writeTextAtomically(path: string, text: string): Promise<void> {
  return writeAtomically(path, async (file) => {
    await file.writeFile(text);
  });
}

async function finish(file: FileHandle, write: (file: FileHandle) => Promise<void>, path: string): Promise<void> {
  try {
    await write(file);
  } catch (error) {
    // What fails in an open file does not say which file it was.
    const { code, path: known } = error as NodeJS.ErrnoException;
    throw code !== undefined && known === undefined && machineErrors.has(code)
      ? Object.assign(error as Error, { path })
      : error;
  } finally {
    await file.close();
  }
}

async function keepOwner(file: FileHandle, { uid, gid }: Stats, path: string): Promise<void> {
  const own = await file.stat();
  if (own.uid === uid && own.gid === gid) return;
  await file.chown(uid, gid).catch(() => {
    throw new InputError(
      "cannot be written: it belongs to another user or group, which a new file could not keep; write to another name",
      { file: path },
    );
  });
}
