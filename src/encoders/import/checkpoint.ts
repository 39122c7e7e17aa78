import { InputError } from "../../util/errors.ts";
import { longWork } from "../../util/long-work.ts";
import { readTextFile } from "../../util/regular-file.ts";
import type { NumberArray } from "../../util/safetensors.ts";
import { storedNames } from "../transformer/checkpoint.ts";
import { parseArchitecture } from "../transformer/config.ts";
import { type WeightsFile, withWeights } from "../weights-file.ts";
import { fileBeside, parametersIn, readTokeniser, writeModel } from "./files.ts";
import type { ImportOptions, TransformerReport } from "./options.ts";

/** Weights of one byte become four; a file whose tensors share more than that is no model. */
const mostGrowth = 16;

/**
 * Brings a checkpoint of the BERT family, in PyTorch's format or as safetensors, into the form of a Hugging Face
 * directory: the weights of the model alone, without those of a head.
 */
export async function importCheckpoint(
  model: string,
  out: string,
  { tokeniser: given, float16 = false }: ImportOptions = {},
): Promise<TransformerReport> {
  const configFile = await fileBeside(model, "config.json");
  if (configFile === undefined) {
    throw new InputError("has no config.json beside it, which says what its weights are", { file: model });
  }
  const config = await readTextFile(configFile);
  const architecture = parseArchitecture(config, configFile);
  const tokeniser = await readTokeniser(model, given);
  const tensors = longWork(() => withWeights(model, (file) => readAll(file, storedNames(file, architecture))));
  await writeModel(out, { config, tokenizer: tokeniser.json, tensors }, float16);
  return {
    kind: "transformer",
    ...{ model, tokeniser: tokeniser.file, architecture, lowercased: tokeniser.lowercased },
    parameters: parametersIn(tensors),
  };
}

/** Tensors by the names that they shall have. */
export function readAll(file: WeightsFile, names: ReadonlyMap<string, string>): Record<string, NumberArray> {
  const shapes = [...names].map(([name, stored]) => ({ name, stored, shape: file.shape(stored) }));
  const total = shapes.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 4), 0);
  if (total > mostGrowth * file.size) {
    throw new InputError(`its tensors share numbers: ${total} bytes from a file of ${file.size}`, { file: file.path });
  }
  return Object.fromEntries(shapes.map(({ name, stored, shape }) => [name, { data: file.read(stored), shape }]));
}
