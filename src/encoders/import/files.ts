import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../util/errors.ts";
import { type NumberArray, writeSafetensors } from "../../util/safetensors.ts";
import { findDirectory } from "../pretrained.ts";
import { parseObject } from "../transformer/config.ts";

/** The file itself, or the only one of its kind in a directory or package. */
export async function findFile(source: string, fits: (name: string) => boolean, what: string): Promise<string> {
  if (await isFile(source)) return source;
  const directory = await findDirectory(source);
  const entries = (await readdir(directory, { recursive: true })).sort();
  const [found, second] = entries.filter((name) => fits(name) && !name.includes("node_modules"));
  if (found === undefined) throw new InputError(`must hold ${what}, found none`, { file: directory });
  if (second !== undefined) {
    throw new InputError(`holds ${found} and ${second}: give the path of the one to take`, { file: directory });
  }
  return join(directory, found);
}

/** A file of the model's directory; converters put the graph into a folder onnx/ of that directory. */
export async function fileBeside(model: string, name: string): Promise<string | undefined> {
  const folder = dirname(model);
  for (const directory of basename(folder) === "onnx" ? [folder, dirname(folder)] : [folder]) {
    if (await isFile(join(directory, name))) return join(directory, name);
  }
  return undefined;
}

export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

/** The tokenizer of a model, which may stand elsewhere. */
export interface ImportedTokeniser {
  readonly file: string;
  readonly json: string;
  /** It kept capitals, of which its vocabulary has none; it lower-cases now. */
  readonly lowercased: boolean;
}

export async function readTokeniser(model: string, given: string | undefined): Promise<ImportedTokeniser> {
  const file = await findTokeniser(model, given);
  return { file, ...fitCase(parseObject(await readFile(file, "utf8"), file)) };
}

async function findTokeniser(model: string, given: string | undefined): Promise<string> {
  const isTokeniser = (name: string): boolean => basename(name) === "tokenizer.json";
  if (given !== undefined) return findFile(given, isTokeniser, "a tokenizer.json");
  const found = await fileBeside(model, "tokenizer.json");
  if (found === undefined)
    throw new InputError("has no tokenizer.json beside it; give one with --tokenizer", { file: model });
  return found;
}

/**
 * A tokenizer that keeps capitals over a vocabulary without any would make every word with a capital unknown; such a
 * one is told to lower-case.
 */
function fitCase(json: Readonly<Record<string, unknown>>): { json: string; lowercased: boolean } {
  const normalizer = json.normalizer as { type?: string; lowercase?: boolean } | null | undefined;
  const vocabulary = Object.keys((json.model as { vocab?: object } | undefined)?.vocab ?? {});
  const capitals = vocabulary.some((piece) => /^(##)?\p{L}*\p{Lu}\p{L}*$/u.test(piece));
  const lowercased = normalizer?.type === "BertNormalizer" && normalizer.lowercase === false && !capitals;
  return {
    lowercased,
    json: JSON.stringify(lowercased ? { ...json, normalizer: { ...normalizer, lowercase: true } } : json),
  };
}

export async function refuseUsed(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (entries.length > 0) throw new InputError("the directory to write exists and is not empty", { file: directory });
}

interface ModelFiles {
  readonly config: string;
  readonly tokenizer?: string;
  readonly tensors: Readonly<Record<string, NumberArray>>;
}

/** Writes a model into a directory that was empty or not there; when that fails, it is gone again. */
export async function writeModel(
  directory: string,
  { config, tokenizer, tensors }: ModelFiles,
  float16: boolean,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  try {
    await writeSafetensors(join(directory, "model.safetensors"), tensors, { dtype: float16 ? "F16" : "F32" });
    if (tokenizer !== undefined) await writeFile(join(directory, "tokenizer.json"), tokenizer);
    await writeFile(join(directory, "config.json"), `${config.trimEnd()}\n`);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

/** Numbers in all tensors. */
export function parametersIn(tensors: Readonly<Record<string, NumberArray>>): number {
  return Object.values(tensors).reduce((total, { data }) => total + data.length, 0);
}
