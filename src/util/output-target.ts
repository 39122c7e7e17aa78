import { accessSync, existsSync, type Stats } from "node:fs";
import { access, constants, readlink, realpath, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError, messageOf } from "./errors.ts";

/** What a path to write to stands for. */
export type OutputTarget =
  /** Nothing is there. */
  | { readonly kind: "new"; readonly path: string }
  /** A file that may be replaced; who owns it and who may read it stays. */
  | { readonly kind: "file"; readonly path: string; readonly stats: Stats }
  /** A FIFO, a terminal, `/dev/null`, an open file by its number: written to, never replaced. */
  | { readonly kind: "stream"; readonly path: string; readonly append: boolean };

/** Standard output by any of its names. */
export function isStandardOutput(path: string): boolean {
  return path === "-" || ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].includes(path);
}

/**
 * Finds out what is at a path, following symbolic links: what they point to is written, they stay. Refuses what can
 * neither be replaced nor written to without harm.
 */
export async function outputTarget(path: string): Promise<OutputTarget> {
  const stats = await stat(path).catch((error) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    return refuseWriting(error, path);
  });
  if (stats === undefined) return { kind: "new", path: await endOfLinks(path) };
  if (stats.isFIFO() || stats.isCharacterDevice()) return { kind: "stream", path, append: false };
  if (stats.isDirectory()) throw new InputError("expected a file to write, got a directory", { file: path });
  if (!stats.isFile()) throw new InputError("cannot be written: it is a socket or a block device", { file: path });
  await access(path, constants.W_OK).catch((error) => refuseWriting(error, path));
  if (openFile.test(resolve(path))) return { kind: "stream", path, append: true };
  return { kind: "file", path: await realpath(path), stats };
}

/** Names of files that a process has open; other files below /dev, such as those in /dev/shm, are files like any. */
const openFile = /^\/(dev\/(fd\/\d+|std(out|err))|proc\/(self|\d+)\/fd\/\d+)$/;

/** Where a file appears when one is made at a path: links may point to what does not exist yet. */
async function endOfLinks(path: string): Promise<string> {
  let end = path;
  for (let links = 0; links < 40; links++) {
    const next = await readlink(end).catch(() => undefined);
    if (next === undefined) return end;
    end = resolve(dirname(end), next);
  }
  throw new InputError("cannot be written: too many symbolic links", { file: path });
}

export function refuseWriting(error: unknown, file: string): never {
  if (error instanceof InputError) throw error;
  const { code } = error as NodeJS.ErrnoException;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: existsSync(dirname(file))
      ? `the folder ${dirname(file)} takes no files`
      : `the folder ${dirname(file)} does not exist`,
    EACCES: isReadOnly(dirname(file)) ? `the folder ${dirname(file)} is read-only for this user` : "permission denied",
    EROFS: "the file system is read-only",
    ENOTDIR: "a part of the path is not a folder",
    ELOOP: "too many symbolic links",
  };
  if (code !== undefined && machineErrors.has(code)) throw Object.assign(error as Error, { path: file });
  throw new InputError(`cannot be written: ${reasons[code ?? ""] ?? messageOf(error)}`, { file });
}

/** What no other path would mend: the disk is full, a device fails, the system is out of something. */
export const machineErrors: ReadonlySet<string> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EFBIG",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
]);

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ENOENT";
  }
}
