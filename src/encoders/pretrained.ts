import { readdir, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { InputError, quote } from "../util/errors.ts";

/** The three files of a pretrained model. */
export interface PretrainedFiles {
  readonly config: string;
  readonly weights: string;
  readonly tokeniser: string;
}

const pytorchWeights = "pytorch_model.bin";

const packageName = /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~-][\w.~-]*$/i;

/** Finds a Hugging Face directory, given as a path or as the name of an installed package. */
export async function findPretrained(name: string): Promise<PretrainedFiles> {
  const root = await findDirectory(name);
  for (const directory of [root, join(root, "model")]) {
    const entries = await entriesOf(directory);
    if (!entries.includes("config.json")) continue;
    if (!entries.includes("tokenizer.json")) {
      throw new InputError("a pretrained model needs a tokenizer.json beside its config.json", { file: directory });
    }
    return {
      config: join(directory, "config.json"),
      weights: join(directory, chooseWeights(entries, directory)),
      tokeniser: join(directory, "tokenizer.json"),
    };
  }
  const onnx = (await entriesOf(root)).find((entry) => entry.endsWith(".onnx"));
  const hint = onnx ? ` (${onnx} must be imported first: lacuna import ${name} --out DIR)` : "";
  throw new InputError(`has no config.json, neither here nor in model/${hint}`, { file: root });
}

/** A directory by its path, or that of an installed package by its name. */
export async function findDirectory(name: string): Promise<string> {
  if (await isDirectory(name)) return name;
  if (!packageName.test(name)) throw new InputError(`no such directory: ${quote(name)}`);
  const installed = await findPackage(name);
  if (installed !== undefined) return installed;
  throw new InputError(`no directory and no installed package ${quote(name)}; install it with: npm install ${name}`);
}

/**
 * The directory of an installed package, looked for from the working directory and then from here. Data packages
 * seldom export their files, so the folders are searched as Node would, without asking it to resolve a module.
 */
export async function findPackage(name: string): Promise<string | undefined> {
  for (const origin of [join(process.cwd(), "package.json"), import.meta.url]) {
    for (const folder of createRequire(origin).resolve.paths(name) ?? []) {
      const directory = join(folder, name);
      if (await isDirectory(directory)) return directory;
    }
  }
  return undefined;
}

/** The file of weights in a directory: safetensors before PyTorch's own. */
export function chooseWeights(entries: readonly string[], directory: string): string {
  const files = entries.filter((entry) => entry.endsWith(".safetensors"));
  const usual = ["model.safetensors", "model.fp16.safetensors"].find((each) => files.includes(each));
  const [only, second] = files;
  const chosen = usual ?? (second === undefined ? only : undefined);
  if (chosen !== undefined) return chosen;
  if (only === undefined && entries.includes(pytorchWeights)) return pytorchWeights;
  const rule = `weights must be one .safetensors file, or ${pytorchWeights}`;
  const found = second === undefined ? "none" : files.join(", ");
  throw new InputError(`${rule}, preferably model.safetensors, found ${found}`, { file: directory });
}

export async function entriesOf(directory: string): Promise<string[]> {
  return (await isDirectory(directory)) ? (await readdir(directory)).sort() : [];
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  return found?.isDirectory() ?? false;
}
