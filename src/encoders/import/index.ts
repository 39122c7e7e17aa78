import { join } from "node:path";
import { InputError } from "../../util/errors.ts";
import { refuseUsed } from "../../util/output-folder.ts";
import { chooseWeights, entriesOf, findDirectory } from "../pretrained.ts";
import { importCharacterModel, isCharacterModel } from "./character-model.ts";
import { importCheckpoint } from "./checkpoint.ts";
import { isFile } from "./files.ts";
import { importOnnx } from "./onnx.ts";
import type { ImportOptions, ImportReport } from "./options.ts";

/**
 * Brings a pretrained model into a directory that encoders read. `source` is a file of ONNX, PyTorch or safetensors, or a
 * directory or an installed package that holds one; a checkpoint goes before an ONNX export of it.
 */
export async function importModel(source: string, out: string, options: ImportOptions = {}): Promise<ImportReport> {
  await refuseUsed(out);
  const weights = await weightsOf(source);
  if (weights === undefined) return importOnnx(source, out, refuseWith(options, source));
  if (isCharacterModel(weights)) return importCharacterModel(weights, out, options);
  return importCheckpoint(weights, out, refuseWith(options, weights));
}

/** The file of weights that a source names; undefined where it must be an ONNX graph. */
async function weightsOf(source: string): Promise<string | undefined> {
  if (await isFile(source)) return source.endsWith(".onnx") ? undefined : source;
  const root = await findDirectory(source);
  for (const directory of [root, join(root, "model")]) {
    const entries = await entriesOf(directory);
    const hasWeights = entries.some((entry) => /\.safetensors$|^pytorch_model\.bin$/.test(entry));
    if (entries.includes("config.json") && hasWeights) return join(directory, chooseWeights(entries, directory));
  }
  return undefined;
}

function refuseWith(options: ImportOptions, source: string): ImportOptions {
  if (options.with === undefined) return options;
  throw new InputError("is no character language model, the only kind for which --with is", { file: source });
}

export type { CharacterModelReport, ImportOptions, ImportReport, TransformerReport } from "./options.ts";
