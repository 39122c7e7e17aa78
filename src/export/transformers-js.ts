import type { LoadedModel } from "../inference/index.ts";
import { distanceBuckets, type SubwordSpec } from "../inputs/index.ts";
import { type OnnxGraph, type OnnxNode, type OnnxTensor, onnxGraph } from "../tensor/index.ts";
import { InputError } from "../util/errors.ts";
import { withPrelude, withWeights } from "./graph-parts.ts";
import { bytesOf, cast, int64s, node, onnxTypes, value } from "./onnx-types.ts";

/** The tokenizer classes of Hugging Face by type of model. */
const tokenizerClasses: Readonly<Record<string, string>> = {
  bert: "BertTokenizer",
  roberta: "RobertaTokenizer",
  distilbert: "DistilBertTokenizer",
  electra: "ElectraTokenizer",
  mpnet: "MPNetTokenizer",
};

/** A tagger in the form of Hugging Face, which transformers.js opens. */
export interface TransformersJsModel {
  readonly graph: OnnxGraph;
  /** Small files by name. */
  files(precision: "float32" | "int8"): Readonly<Record<string, string>>;
  /** How the program itself makes sub-words, for a comparison. */
  readonly subwords: SubwordSpec;
}

/** Where transformers.js looks for the weights. */
export const transformersJsFiles = { float32: "onnx/model.onnx", int8: "onnx/model_quantized.onnx" } as const;

/** The graph of a tagger that reads sub-words and gives every one of them the scores of its tags. */
export async function transformersJsModel(loaded: LoadedModel): Promise<TransformersJsModel> {
  refuseOthers(loaded);
  const { model, store, config } = loaded;
  const { inputs } = await model.encoder.portable!();
  const subwords = inputs.find((spec) => spec.kind === "subwords")!;
  const plain = onnxGraph({ logits: model.prediction().logits }, { portable: true }).graph;
  const graph = overSubwords(withWeights(plain, store.tensors(), model.encoder.tables), subwords);
  const saved = model.encoder.files();
  const { _name_or_path: _, ...architecture } = JSON.parse(saved["transformer.json"]!) as Record<string, unknown>;
  const type = String(architecture.model_type);
  const id2label = Object.fromEntries(model.labels.map((label, i) => [i, readAs(label, model.types)]));
  const tokeniser = JSON.parse(saved["tokenizer.json"]!) as { readonly normalizer?: { readonly lowercase?: boolean } };
  return {
    graph,
    subwords,
    files: (precision) => ({
      "config.json": pretty({
        ...architecture,
        architectures: [`${tokenizerClasses[type]!.replace("Tokenizer", "")}ForTokenClassification`],
        id2label,
        label2id: Object.fromEntries(Object.entries(id2label).map(([id, label]) => [label, Number(id)])),
        num_labels: model.labels.length,
        // Browsers would look for quantised weights, Node for floats.
        "transformers.js_config": { dtype: precision === "int8" ? "q8" : "fp32" },
        lacuna: { types: config.types },
      }),
      "tokenizer.json": saved["tokenizer.json"]!,
      "tokenizer_config.json": pretty({
        tokenizer_class: tokenizerClasses[type],
        model_max_length: subwords.capacity + 2,
        do_lower_case: tokeniser.normalizer?.lowercase ?? false,
      }),
    }),
  };
}

/** The extra type of a tagger is no entity. */
function readAs(label: string, types: readonly string[]): string {
  return types.includes(label.slice(2)) ? label : "O";
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function refuseOthers({ model }: LoadedModel): void {
  const other = "export it with --to onnx, or --to web for a browser";
  const { head, settings, encoder, unportable } = model;
  if (unportable !== undefined) throw new InputError(`export: ${unportable}`);
  if (head !== "token")
    throw new InputError(
      `--to transformers.js: its pipeline labels sub-words one by one, and the head of this model is "${head}"; ${other}`,
    );
  if (settings.output !== "softmax")
    throw new InputError(
      `--to transformers.js: its pipeline labels sub-words one by one, and the tags of this model depend on one another (head.output=${settings.output}); ${other}, or train with --set head.output=softmax`,
    );
  if (encoder.name !== "transformer")
    throw new InputError(
      `--to transformers.js: its pipeline reads a plain transformer, and the encoder of this model is "${encoder.name}"; ${other}, or train with --encoder transformer:DIR`,
    );
  const { features, context } = encoder.settings;
  if (features === true || (typeof context === "number" && context > 0))
    throw new InputError(
      `--to transformers.js: its pipeline reads sub-words alone, and this model reads the letters of words too (features=${features}, context=${context}); ${other}, or train with --set encoder.features=false`,
    );
}

/** Replaces what says where words stand: every sub-word is a word, and ids and mask are all that is fed. */
function overSubwords(graph: OnnxGraph, { inputs, buckets, capacity }: SubwordSpec): OnnxGraph {
  const axes = ["batch_size", "sequence_length"];
  const nodes: OnnxNode[] = [
    cast("input_ids", inputs.ids, "int32"),
    cast("attention_mask", inputs.visible, "float32"),
    node("Shape", ["input_ids"], ["places.shape"]),
    node("ReduceProd", ["places.shape"], ["places.size"], { keepdims: 0 }),
    node("Range", ["places.from", "places.size", "places.step"], ["places.all"]),
    cast("places.all", "places.numbers", "int32"),
    node("Reshape", ["places.numbers", "places.shape"], [inputs.first]),
  ];
  const initializer: OnnxTensor[] = [int64s("places.from", [0], []), int64s("places.step", [1], [])];
  if (buckets > 0) {
    // What the program feeds for each length is the corner of one table.
    const { data, shape } = distanceBuckets(capacity + 2, buckets);
    initializer.push({ name: "distances.all", dims: shape, dataType: onnxTypes.int32, rawData: bytesOf(data) });
    initializer.push(int64s("distances.from", [0, 0]));
    nodes.push(
      node("Shape", ["input_ids"], ["distances.length"], { start: 1, end: 2 }),
      node("Concat", ["distances.length", "distances.length"], ["distances.to"], { axis: 0 }),
      node("Slice", ["distances.all", "distances.from", "distances.to"], [inputs.buckets]),
    );
  }
  const computed = [inputs.ids, inputs.visible, inputs.first, inputs.buckets];
  const input = [value("input_ids", "int64", axes), value("attention_mask", "int64", axes)];
  return withPrelude(graph, computed, { node: nodes, initializer, input });
}
