import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError, messageOf } from "./errors.ts";

/** Writes a file as a whole or not at all: into a temporary file beside it, which then takes its place. */
export async function writeAtomically(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`);
  const file = await open(temporary, "wx").catch((error) => refuse(error, path));
  try {
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path).catch((error) => refuse(error, path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export function writeTextAtomically(path: string, text: string): Promise<void> {
  return writeAtomically(path, async (file) => {
    await file.writeFile(text);
  });
}

function refuse(error: unknown, file: string): never {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "ENOENT" ? `the folder ${dirname(file)} does not exist` : messageOf(error);
  throw new InputError(`cannot be written: ${reason}`, { file });
}
