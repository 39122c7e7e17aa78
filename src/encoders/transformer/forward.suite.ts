import type { TinyModel } from "./tiny-models.suite.ts";

export type Matrix = readonly (readonly number[])[];

/**
 * The states of the last layer for one row of ids, `[pieces][hidden]`: a second implementation in float64, straight
 * from the tensors of a checkpoint, without batches, masks or graphs. `after` may change the states behind a layer,
 * numbered from 1; `typeOf` gives the token type of each piece.
 */
export function forward(
  { config, tensors }: TinyModel,
  ids: readonly number[],
  after: (x: Matrix, layer: number) => Matrix = (x) => x,
  typeOf: (piece: number) => number = () => 0,
): Matrix {
  const { path, parts } = namesOf(String(config.model_type));
  const [query, key, value, output, attentionNorm, inner, outer, norm] = parts;
  const matrix = (name: string): Matrix => rowsOf(tensors[name]!.data, tensors[name]!.shape.at(-1)!);
  const vector = (name: string): readonly number[] => matrix(name)[0]!;
  const epsilon = (config.layer_norm_eps as number | undefined) ?? 1e-12;
  const linear = (x: Matrix, name: string): Matrix => {
    const [weight, bias] = [matrix(`${name}.weight`), vector(`${name}.bias`)];
    return x.map((row) => weight.map((line, i) => bias[i]! + dot(row, line)));
  };
  const normalise = (x: Matrix, name: string): Matrix => {
    const [scale, shift] = [vector(`${name}.weight`), vector(`${name}.bias`)];
    return x.map((row) => {
      const mean = row.reduce((a, b) => a + b, 0) / row.length;
      const deviation = Math.sqrt(row.reduce((a, b) => a + (b - mean) ** 2, 0) / row.length + epsilon);
      return row.map((a, i) => ((a - mean) / deviation) * scale[i]! + shift[i]!);
    });
  };
  const activate = activationOf(String(config.hidden_act ?? config.activation));
  const offset = ["roberta", "mpnet"].includes(String(config.model_type)) ? (config.pad_token_id as number) + 1 : 0;
  const [words, places] = [
    matrix("embeddings.word_embeddings.weight"),
    matrix("embeddings.position_embeddings.weight"),
  ];
  const types = tensors["embeddings.token_type_embeddings.weight"] && matrix("embeddings.token_type_embeddings.weight");
  const distances = tensors["encoder.relative_attention_bias.weight"];
  const bias = (head: number, from: number, to: number): number =>
    distances ? distances.data[bucketOf(to - from) * distances.shape[1]! + head]! : 0;
  const embedded = ids.map((id, i) =>
    words[id]!.map((a, k) => a + places[i + offset]![k]! + (types?.[typeOf(i)]?.[k] ?? 0)),
  );
  let x = normalise(embedded, "embeddings.LayerNorm");
  if (tensors["embeddings_project.weight"]) x = linear(x, "embeddings_project");
  const heads = (config.num_attention_heads ?? config.n_heads) as number;
  for (let layer = 0; layer < ((config.num_hidden_layers ?? config.n_layers) as number); layer++) {
    const name = (part: string | undefined): string => `${path}.${layer}.${part}`;
    const mixed = attend(linear(x, name(query)), linear(x, name(key)), linear(x, name(value)), heads, bias);
    const middle = normalise(plus(x, linear(mixed, name(output))), name(attentionNorm));
    const hidden = linear(middle, name(inner)).map((row) => row.map(activate));
    x = after(normalise(plus(middle, linear(hidden, name(outer))), name(norm)), layer + 1);
  }
  return x;
}

function namesOf(type: string): { path: string; parts: readonly string[] } {
  if (type === "distilbert") {
    const attention = ["attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm"];
    return { path: "transformer.layer", parts: [...attention, "ffn.lin1", "ffn.lin2", "output_layer_norm"] };
  }
  const attention =
    type === "mpnet"
      ? ["attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o", "attention.LayerNorm"]
      : ["attention.self.query", "attention.self.key", "attention.self.value"].concat([
          "attention.output.dense",
          "attention.output.LayerNorm",
        ]);
  return { path: "encoder.layer", parts: [...attention, "intermediate.dense", "output.dense", "output.LayerNorm"] };
}

/** The first distance of each of the sixteen buckets of a direction, as PyTorch prints them. */
const firstDistances = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91];

function bucketOf(distance: number): number {
  const bucket = firstDistances.filter((first) => first <= Math.abs(distance)).length - 1;
  return distance > 0 ? 16 + bucket : bucket;
}

type Bias = (head: number, from: number, to: number) => number;

function attend(query: Matrix, key: Matrix, value: Matrix, heads: number, bias: Bias): Matrix {
  const size = query[0]!.length / heads;
  const part = (row: readonly number[], head: number): readonly number[] => row.slice(head * size, (head + 1) * size);
  return query.map((row, from) =>
    Array.from({ length: heads }, (_, head) => {
      const scores = key.map((other, to) =>
        Math.exp(dot(part(row, head), part(other, head)) / Math.sqrt(size) + bias(head, from, to)),
      );
      const total = scores.reduce((a, b) => a + b, 0);
      return Array.from({ length: size }, (_, k) =>
        value.reduce((sum, other, j) => sum + (scores[j]! / total) * part(other, head)[k]!, 0),
      );
    }).flat(),
  );
}

function activationOf(name: string): (x: number) => number {
  if (name === "relu") return (x) => Math.max(0, x);
  if (name === "gelu_new") return (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)));
  return (x) => x * normalDistribution(x);
}

/** Φ(x) by the series Σ x^(2k+1) / (1·3·5·…): exact to float64 for the numbers of a small model. */
function normalDistribution(x: number): number {
  let [term, sum] = [x, x];
  for (let k = 1; k < 200; k++) {
    term *= (x * x) / (2 * k + 1);
    sum += term;
  }
  return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI);
}

function rowsOf(data: Float32Array, width: number): Matrix {
  return Array.from({ length: data.length / width }, (_, i) => Array.from(data.subarray(i * width, (i + 1) * width)));
}

function plus(a: Matrix, b: Matrix): Matrix {
  return a.map((row, i) => row.map((x, k) => x + b[i]![k]!));
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, i) => sum + x * b[i]!, 0);
}
