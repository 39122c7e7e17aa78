import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../util/errors.ts";
import { hashFile } from "../util/file-hash.ts";

/** Files of a model directory that have no say in what it predicts. */
const silent = new Set(["README.md", "metrics.jsonl", "state.safetensors"]);

/** Of everything in a model directory that decides what the model predicts. */
export async function hashOfModel(directory: string): Promise<string> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => {
    throw new InputError("no such model directory", { file: directory });
  });
  const names = entries.filter((entry) => entry.isFile() && !silent.has(entry.name)).map(({ name }) => name);
  const hash = createHash("sha256");
  for (const name of names.filter((each) => !each.startsWith(".")).sort())
    hash.update(`${name} ${await hashFile(join(directory, name))}\n`);
  return hash.digest("hex").slice(0, 32);
}
