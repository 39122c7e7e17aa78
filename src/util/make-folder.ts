import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { InputError } from "./errors.ts";

/**
 * Makes a folder and those above it; returns the uppermost that was made, or nothing when all were there. Node's own
 * recursive `mkdir` never ends where the system makes no folders, as below /proc.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  try {
    await mkdir(path);
    return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" && (await isFolder(path))) return undefined;
    const parent = dirname(path);
    if (code !== "ENOENT" || parent === path) return refuse(error, path);
    // Somebody else may have made the parent since: then this makes nothing, and the second try tells.
    const first = await makeFolder(parent);
    await mkdir(path).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== "EEXIST") refuse(again, path);
    });
    return first ?? path;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: "expected a folder, got a file",
  ENOTDIR: "a part of the path is a file, expected a folder",
  ENOENT: "the system makes no folder there",
  EACCES: "the folder above is read-only: no permission to write in it",
  EPERM: "the folder above is read-only: no permission to write in it",
  EROFS: "the file system is read-only",
};

function refuse(error: unknown, file: string): never {
  const { code = "" } = error as NodeJS.ErrnoException;
  const reason = reasons[code];
  if (reason === undefined) throw error;
  throw Object.assign(new InputError(reason, { file }), { code });
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
