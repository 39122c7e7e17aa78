import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";

/**
 * The files that a pattern names, in the order of their names: `*` and `?` stand for characters of one name, `**` for any
 * folders. What exists under the very name is meant itself. Hidden names need a pattern that begins with a dot.
 */
export async function filesLike(pattern: string): Promise<string[]> {
  if (!/[*?]/.test(pattern) || existsSync(pattern)) return [pattern];
  const parts = pattern.split("/");
  const fixed = parts.findIndex((part) => /[*?]/.test(part));
  const root = parts.slice(0, fixed).join("/") || (pattern.startsWith("/") ? "/" : "");
  return (await below(root, parts.slice(fixed))).sort();
}

async function below(folder: string, [part, ...rest]: readonly string[]): Promise<string[]> {
  if (part === undefined) return [];
  const entries = await readdir(folder === "" ? "." : folder, { withFileTypes: true }).catch(() => []);
  const found: string[] = [];
  if (part === "**") found.push(...(await below(folder, rest)));
  const expression = expressionOf(part);
  for (const entry of entries) {
    const path = folder === "" ? entry.name : join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (part === "**" && isFolder && !entry.name.startsWith(".")) found.push(...(await below(path, [part, ...rest])));
    if (part === "**" || !expression.test(entry.name)) continue;
    if (rest.length > 0) found.push(...(await below(path, rest)));
    else if (!isFolder) found.push(path);
  }
  return found;
}

function expressionOf(part: string): RegExp {
  const source = part
    .replaceAll(/[\\^$.|+()[\]{}]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${part.startsWith(".") ? "" : "(?!\\.)"}${source}$`, "u");
}
