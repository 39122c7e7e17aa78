import { type Initialiser, type Parameters, zero } from "../../nn/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { Architecture, ModelType } from "./config.ts";

/** One parameter of the graph and the tensor of a checkpoint that holds its values. */
export interface Weight {
  readonly name: string;
  /** The shape in the graph, where linear layers are `[in, out]`. */
  readonly shape: readonly number[];
  /** The name in a checkpoint, without the prefix of the model type. */
  readonly source: string;
  /** Checkpoints keep linear layers as `[out, in]`. */
  readonly transposed: boolean;
}

/** The table of sub-words: too large for the graph, and looked up outside. */
export const wordTable = { name: "transformer.words", source: "embeddings.word_embeddings.weight" } as const;

/** Parts of a block → parts of a layer in a checkpoint. */
interface LayerNames {
  readonly path: string;
  readonly parts: Readonly<Record<(typeof blockParts)[number], string>>;
}

const blockParts = [
  "attention.query",
  "attention.key",
  "attention.value",
  "attention.output",
  "attention.norm",
  "inner",
  "outer",
  "norm",
] as const;

const bertLayer: LayerNames = {
  path: "encoder.layer",
  parts: {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "attention.norm": "attention.output.LayerNorm",
    inner: "intermediate.dense",
    outer: "output.dense",
    norm: "output.LayerNorm",
  },
};

const distilbertLayer: LayerNames = {
  path: "transformer.layer",
  parts: {
    "attention.query": "attention.q_lin",
    "attention.key": "attention.k_lin",
    "attention.value": "attention.v_lin",
    "attention.output": "attention.out_lin",
    "attention.norm": "sa_layer_norm",
    inner: "ffn.lin1",
    outer: "ffn.lin2",
    norm: "output_layer_norm",
  },
};

const mpnetLayer: LayerNames = {
  path: "encoder.layer",
  parts: {
    ...bertLayer.parts,
    "attention.query": "attention.attn.q",
    "attention.key": "attention.attn.k",
    "attention.value": "attention.attn.v",
    "attention.output": "attention.attn.o",
    "attention.norm": "attention.LayerNorm",
  },
};

const layerNames: Readonly<Record<ModelType, LayerNames>> = {
  bert: bertLayer,
  roberta: bertLayer,
  electra: bertLayer,
  distilbert: distilbertLayer,
  mpnet: mpnetLayer,
};

/** Every parameter that lives in the graph, in a fixed order. */
export function weightsOf(architecture: Architecture): Weight[] {
  const { embedding, hidden, positions, positionOffset, tokenTypes, layers, distanceBuckets, heads } = architecture;
  const table = (name: string, rows: number, source: string): Weight => ({
    name: `transformer.${name}`,
    shape: [rows, embedding],
    source: `embeddings.${source}.weight`,
    transposed: false,
  });
  return [
    table("positions", positions + positionOffset, "position_embeddings"),
    ...(tokenTypes > 0 ? [table("types", tokenTypes, "token_type_embeddings")] : []),
    ...pair("norm", "embeddings.LayerNorm", [embedding]),
    ...(embedding === hidden ? [] : pair("project", "embeddings_project", [embedding, hidden])),
    ...(distanceBuckets > 0 ? [distances(distanceBuckets, heads)] : []),
    ...Array.from({ length: layers }, (_, layer) => blockWeights(architecture, layer)).flat(),
  ];
}

/** One table for all layers: how much each head likes each class of distances. */
function distances(buckets: number, heads: number): Weight {
  const source = "encoder.relative_attention_bias.weight";
  return { name: "transformer.distances", shape: [buckets, heads], source, transposed: false };
}

function blockWeights({ type, hidden, inner }: Architecture, layer: number): Weight[] {
  const { path, parts } = layerNames[type];
  return blockParts.flatMap((part) => {
    const shape = part.endsWith("norm")
      ? [hidden]
      : part === "inner"
        ? [hidden, inner]
        : part === "outer"
          ? [inner, hidden]
          : [hidden, hidden];
    return pair(`${layer}.${part}`, `${path}.${layer}.${parts[part]}`, shape);
  });
}

/** The weight and the bias of a layer. */
function pair(name: string, source: string, shape: readonly number[]): Weight[] {
  const one = (kind: string, size: readonly number[]): Weight => ({
    name: `transformer.${name}.${kind}`,
    shape: size,
    source: `${source}.${kind}`,
    transposed: size.length === 2,
  });
  return [one("weight", shape), one("bias", [shape.at(-1)!])];
}

/**
 * Declares all parameters ahead of the layers that use them, with their pretrained values; the order does not depend
 * on where the values come from. Without values they are zero until a saved model fills them. `lowest` leaves out what only
 * the layers below it need.
 */
export function declareWeights(
  params: Parameters,
  architecture: Architecture,
  initialiserOf: (weight: Weight) => Initialiser = () => zero,
  lowest = 0,
): ReadonlyMap<string, Tensor> {
  const wanted = weightsOf(architecture).filter(({ name }) => lowest === 0 || isAbove(name, lowest));
  return new Map(
    wanted.map((weight) => [weight.name, params.declare(weight.name, weight.shape, initialiserOf(weight))]),
  );
}

/** Whether layers from `lowest` on need a weight: their own, and MPNet's table of distances, which all layers share. */
function isAbove(name: string, lowest: number): boolean {
  const [, layer] = /^transformer\.(\d+)\./.exec(name) ?? [];
  return layer === undefined ? name === "transformer.distances" : Number(layer) >= lowest;
}

/** `[rows, columns]` → `[columns, rows]` */
export function transposed(values: Float32Array, rows: number, columns: number): Float32Array {
  const result = new Float32Array(values.length);
  for (let i = 0; i < rows; i++) for (let j = 0; j < columns; j++) result[j * rows + i] = values[i * columns + j]!;
  return result;
}
