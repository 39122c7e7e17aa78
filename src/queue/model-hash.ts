import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { InputError } from "../util/errors.ts";
import { hashFile } from "../util/file-hash.ts";

/** Files of a model directory that have no say in what it predicts. */
const silent = new Set(["README.md", "metrics.jsonl", "state.safetensors"]);

/** The files of a model directory that decide what the model predicts, in the order of their names. */
export async function filesOfModel(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => {
    throw new InputError("no such model directory", { file: directory });
  });
  return entries
    .filter((entry) => entry.isFile() && !silent.has(entry.name) && !entry.name.startsWith("."))
    .map(({ name }) => join(directory, name))
    .sort();
}

/** Of everything in a model directory that decides what the model predicts. */
export async function hashOfModel(directory: string): Promise<string> {
  const hash = createHash("sha256");
  for (const file of await filesOfModel(directory)) hash.update(`${basename(file)} ${await hashFile(file)}\n`);
  return hash.digest("hex").slice(0, 32);
}
