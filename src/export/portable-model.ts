import type { PortableInputs } from "../encoders/index.ts";
import { retrievalFeeds } from "../heads/index.ts";
import type { LoadedModel } from "../inference/index.ts";
import { filesOf, type InputSpec } from "../inputs/index.ts";
import { type OnnxGraph, onnxGraph } from "../tensor/index.ts";
import { InputError } from "../util/errors.ts";
import type { Description } from "../web/index.ts";
import { decodingOf } from "./decoding.ts";
import { computedInput, countedInput, prefixed, withWeights } from "./graph-parts.ts";

/** A model as it leaves the program: one graph with everything inside, what it says of itself, and small files. */
export interface PortableModel {
  readonly graph: OnnxGraph;
  readonly description: Omit<Description, "files">;
  readonly files: Readonly<Record<string, string>>;
}

export const modelFile = "model.onnx";

/** Makes a graph of standard ops from a model. Parts of the user's own may not say how they do without the program. */
export async function portableModel(loaded: LoadedModel): Promise<PortableModel> {
  const { model, store } = loaded;
  const { encoder } = model;
  if (model.unportable !== undefined) throw new InputError(`export: ${model.unportable}`);
  if (!model.portable)
    throw new InputError(`export: the head "${model.head}" does not say how its scores are decoded (portable)`);
  if (!encoder.portable)
    throw new InputError(`export: the encoder "${encoder.name}" does not say how its inputs are made (portable)`);
  const fromEncoder = await encoder.portable();
  const head = model.portable(store);
  const graph = wholeGraph(loaded, fromEncoder);
  const known = { ...encoder.files(), ...fromEncoder.files };
  const inputs = usedInputs([...fromEncoder.inputs, ...head.inputs], graph);
  const names = [...new Set(inputs.flatMap(filesOf))];
  const scores = graph.output.some(({ name }) => name === "logits") ? "logits" : "logProbs";
  return {
    graph,
    files: Object.fromEntries(names.map((name) => [name, known[name]!])),
    description: {
      format: "lacuna-export",
      version: 1,
      model: modelFile,
      precision: "float32",
      types: model.types,
      labels: model.labels,
      inputs,
      outputs: { scores, logProbs: "logProbs" },
      decode: decodingOf(loaded, head.decoding),
    },
  };
}

function wholeGraph({ model, store, retrieval }: LoadedModel, { frozen = [] }: PortableInputs): OnnxGraph {
  const mixes = retrieval && retrieval.alpha !== 0 && model.retrieval ? model.retrieval : undefined;
  const { logits, logProbs } = mixes ? mixes.prediction(retrieval!.mix) : model.prediction();
  const outputs = logits === logProbs ? { logProbs } : { logits, logProbs };
  const weights = { ...store.tensors(), ...(mixes && retrievalFeeds(retrieval!, mixes)) };
  let graph = withWeights(onnxGraph(outputs, { portable: true }).graph, weights, model.encoder.tables);
  for (const { input, prefix, output, weights: own, tables } of frozen) {
    const part = withWeights(onnxGraph({ output }, { portable: true }).graph, own, tables);
    graph = computedInput(graph, input, prefixed(part, prefix));
  }
  return countedInput(graph, "span.positions");
}

/** The descriptions of which the graph reads at least one input. */
function usedInputs(specs: readonly InputSpec[], graph: OnnxGraph): InputSpec[] {
  const read = new Set(graph.input.map(({ name }) => name));
  const isUsed = (value: unknown): boolean =>
    typeof value === "object" && value !== null
      ? Object.values(value).some(isUsed)
      : typeof value === "string" && read.has(value);
  return specs.filter(isUsed);
}
