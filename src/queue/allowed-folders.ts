import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { InputError } from "../util/errors.ts";

/** A job whose files lie where the worker may not go. */
class ForbiddenFile extends InputError {
  readonly code = forbidden;
}

/** The code of the error, by which it is known in another process. */
export const forbidden = "ERR_FORBIDDEN_FILE";

/**
 * Refuses orders with a file outside some folders. Any text in the orders that is an absolute path, leads upwards or names
 * something that exists, in the folder of the orders or in one that they name, is taken for a file: which setting of which
 * part is one is not known here. Orders without a folder begin in the first of those that are allowed.
 */
export async function assertAllowed(orders: unknown, folder: string, allowed: readonly string[]): Promise<void> {
  const roots = await Promise.all(allowed.map((each) => realpath(each)));
  const start = startFolder(folder, allowed);
  await assertWithin(start, roots);
  const texts = [...textsOf(orders)];
  const bases = [start, ...new Set(texts.filter((text) => isAbsolute(text)))];
  for (const text of texts) {
    const leadsUp = /(^|[\\/])\.\.([\\/]|$)/.test(text);
    if (isAbsolute(text) || leadsUp) await assertWithin(resolve(start, text), roots);
    else for (const base of bases) if (existsSync(join(base, text))) await assertWithin(join(base, text), roots);
  }
}

/** Where relative paths of orders begin. */
export function startFolder(folder: string, allowed: readonly string[]): string {
  return resolve(folder === "" ? allowed[0]! : folder);
}

async function assertWithin(path: string, roots: readonly string[]): Promise<void> {
  const real = await realOf(path);
  if (roots.some((root) => isWithin(root, real))) return;
  throw new ForbiddenFile("lies outside the folders that this worker was given (--allow DIR)", { file: path });
}

/** Where a path leads, though its last parts may not exist yet. */
async function realOf(path: string): Promise<string> {
  const found = await realpath(path).catch(() => undefined);
  if (found !== undefined) return found;
  const parent = dirname(path);
  return parent === path ? path : resolve(await realOf(parent), relative(parent, path));
}

function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === "string") {
    // No path is so long, nor has such a character.
    if (value.length <= 4096 && !value.includes("\0")) yield value;
  } else if (Array.isArray(value)) for (const each of value) yield* textsOf(each);
  else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) yield* textsOf(each);
}
