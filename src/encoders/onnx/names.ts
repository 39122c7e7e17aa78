import type { OnnxAttribute, OnnxGraph, OnnxNode } from "../../tensor/index.ts";
import { InputError } from "../../util/errors.ts";
import type { NumberArray } from "../../util/safetensors.ts";

/** How ONNX Runtime's model builder calls the parts of a BERT → how Hugging Face does. */
const builderNames: readonly (readonly [RegExp, string])[] = [
  [/^\.?model\.embeddings\./, "embeddings."],
  [/^model\.layers\.-1\.embeddings_norm_layernorm\./, "embeddings.LayerNorm."],
  [/^model\.layers\.(\d+)\./, "encoder.layer.$1."],
  [/\.attn\.q_proj\.Add\./, ".attention.self.query."],
  [/\.attn\.k_proj\.Add\./, ".attention.self.key."],
  [/\.attn\.v_proj\.Add\./, ".attention.self.value."],
  [/\.attn\.o_proj\.Add\./, ".attention.output.dense."],
  [/\.attention_output_norm_layernorm\./, ".attention.output.LayerNorm."],
  [/\.mlp\.fc1\.Add\./, ".intermediate.dense."],
  [/\.mlp\.fc2\.Add\./, ".output.dense."],
  [/\.mlp_output_norm_layernorm\./, ".output.LayerNorm."],
];

/** Weights by the names of a Hugging Face checkpoint; converters that keep those names pass unchanged. */
export function huggingFaceNames(weights: ReadonlyMap<string, NumberArray>): Map<string, NumberArray> {
  const rename = (name: string): string =>
    builderNames.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), name);
  return new Map([...weights].map(([name, weight]) => [rename(name), weight]));
}

/** The weight that a checkpoint calls so, whatever stands before its name. */
export function weightNamed(weights: ReadonlyMap<string, NumberArray>, name: string): NumberArray | undefined {
  const found = weights.get(name);
  if (found) return found;
  for (const [each, weight] of weights) if (each.endsWith(`.${name}`)) return weight;
  return undefined;
}

/** A `config.json` for a BERT that comes without one, from its graph and the shapes of its weights. */
export function configOf(
  graph: OnnxGraph,
  weights: ReadonlyMap<string, NumberArray>,
  file: string,
): Record<string, unknown> {
  const shape = (name: string): readonly number[] =>
    weightNamed(weights, name)?.shape ?? fail(`the model has no weight ${name}`, file);
  const [vocabulary, hidden] = shape("embeddings.word_embeddings.weight");
  const heads = attribute(graph.node, "num_heads")?.i;
  const epsilon = attribute(graph.node, "epsilon")?.f;
  if (heads === undefined)
    fail("the graph does not say how many attention heads it has; put a config.json beside it", file);
  return {
    architectures: ["BertModel"],
    model_type: "bert",
    vocab_size: vocabulary,
    hidden_size: hidden,
    num_hidden_layers: layersIn(weights),
    num_attention_heads: heads,
    intermediate_size: shape("encoder.layer.0.intermediate.dense.bias")[0],
    hidden_act:
      activationIn(graph.node) ?? fail("the graph has no known activation; put a config.json beside it", file),
    max_position_embeddings: shape("embeddings.position_embeddings.weight")[0],
    type_vocab_size: shape("embeddings.token_type_embeddings.weight")[0],
    // The graph has it as float32.
    layer_norm_eps: epsilon === undefined ? 1e-12 : Number(epsilon.toPrecision(6)),
    hidden_dropout_prob: 0.1,
    attention_probs_dropout_prob: 0.1,
    pad_token_id: 0,
  };
}

function activationIn(nodes: readonly OnnxNode[]): string | undefined {
  const has = (...types: readonly string[]): boolean => nodes.some(({ opType }) => types.includes(opType));
  const approximate = attribute(nodes, "approximate")?.s;
  if (has("FastGelu") || (approximate && Buffer.from(approximate).toString() === "tanh")) return "gelu_new";
  if (has("Gelu", "BiasGelu", "Erf")) return "gelu";
  return has("Relu") ? "relu" : undefined;
}

function layersIn(weights: ReadonlyMap<string, NumberArray>): number {
  const numbers = [...weights.keys()].map((name) => Number(/encoder\.layer\.(\d+)\./.exec(name)?.[1] ?? -1));
  return numbers.reduce((most, number) => Math.max(most, number), -1) + 1;
}

function attribute(nodes: readonly OnnxNode[], name: string): OnnxAttribute | undefined {
  for (const node of nodes) {
    const found = node.attribute.find((each) => each.name === name);
    if (found) return found;
  }
  return undefined;
}

function fail(message: string, file: string): never {
  throw new InputError(message, { file });
}
