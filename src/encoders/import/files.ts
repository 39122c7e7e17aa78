import { readdir, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../util/errors.ts";
import { writeFolder } from "../../util/output-folder.ts";
import { readTextFile } from "../../util/regular-file.ts";
import { type NumberArray, writeSafetensors } from "../../util/safetensors.ts";

import { findDirectory } from "../pretrained.ts";
import { parseObject } from "../transformer/config.ts";
import { subwordTokeniser } from "../transformer/tokeniser.ts";

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
  const fitted = fitCase(parseObject(await readTextFile(file), file));
  subwordTokeniser(fitted.json, file); // one that cannot be used is no use to copy
  return { file, ...fitted };
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
  const normalizer = partOf(json.normalizer);
  const vocabulary = Object.keys(partOf(partOf(json.model).vocab));
  const capitals = vocabulary.some((piece) => /^(##)?\p{L}*\p{Lu}\p{L}*$/u.test(piece));
  const lowercased = normalizer.type === "BertNormalizer" && normalizer.lowercase === false && !capitals;
  return {
    lowercased,
    json: JSON.stringify(lowercased ? { ...json, normalizer: { ...normalizer, lowercase: true } } : json),
  };
}

/** A part of a file as an object, whatever is there. */
function partOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

interface ModelFiles {
  readonly config: string;
  readonly tokenizer?: string;
  readonly tensors: Readonly<Record<string, NumberArray>>;
}

/** Writes a model beside the directory, which was empty or not there, and puts it in its place as a whole. */
export async function writeModel(
  directory: string,
  { config, tokenizer, tensors }: ModelFiles,
  float16: boolean,
): Promise<void> {
  await writeFolder(directory, async (folder) => {
    await writeSafetensors(join(folder, "model.safetensors"), tensors, { dtype: float16 ? "F16" : "F32" });
    if (tokenizer !== undefined) await writeFile(join(folder, "tokenizer.json"), tokenizer);
    await writeFile(join(folder, "config.json"), `${config.trimEnd()}\n`);
  });
}

/** Numbers in all tensors. */
export function parametersIn(tensors: Readonly<Record<string, NumberArray>>): number {
  return Object.values(tensors).reduce((total, { data }) => total + data.length, 0);
}
