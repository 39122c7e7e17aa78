import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { basename, join, relative, sep } from "node:path";
import { InputError, messageOf, quote } from "./errors.ts";

/** A text longer than this cannot be one string. */
const longestText = 500_000_000;

/** The text of a file; refuses what is not UTF-8, and what `readFileBytes` does. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFileBytes(path, longestText));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_ENCODING_INVALID_ENCODED_DATA")
      throw new InputError("is not valid UTF-8", { file: path });
    throw error;
  }
}

/** Node reads no more into one array. */
const longestFile = 2 ** 31 - 1;

/** The bytes of a file. FIFOs and devices, which may never end or never begin, are refused. */
export async function readFileBytes(path: string, longest = longestFile): Promise<Buffer> {
  // Without waiting: opening a FIFO would wait for somebody to write to it.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error) => refuseReading(error, path));
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw new InputError("expected a file, got a directory", { file: path });
    if (!stats.isFile()) throw new InputError("expected a file, got a FIFO, a socket or a device", { file: path });
    if (stats.size > longest)
      throw new InputError(`must not exceed ${longest} bytes, got ${stats.size}`, { file: path });
    return await file.readFile();
  } catch (error) {
    return refuseReading(error, path);
  } finally {
    await file.close();
  }
}

/** The path of a file that another file names: directly in the folder, by a plain name, and not elsewhere through a link. */
export async function fileIn(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  assertPlainName(name, folder);
  const [root, real] = await Promise.all([realpath(folder), realpath(path)]).catch((error) =>
    refuseReading(error, path),
  );
  if (!isBelow(root, real))
    throw new InputError(`must lie in the folder ${folder}, and points elsewhere`, { file: path });
  return path;
}

/** Refuses names that lead out of a folder or into another one. */
export function assertPlainName(name: string, folder: string): void {
  const plain = basename(name) === name && !/[/\\\0]/.test(name) && name !== "" && name !== "." && name !== "..";
  if (!plain) throw new InputError(`expected the plain name of a file in it, got ${quote(name)}`, { file: folder });
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`);
}

function refuseReading(error: unknown, file: string): never {
  if (error instanceof InputError) throw error;
  const { code } = error as NodeJS.ErrnoException;
  const missing = code === "ENOENT" || code === "ENOTDIR";
  throw new InputError(missing ? "no such file" : `cannot be read: ${messageOf(error)}`, { file });
}
