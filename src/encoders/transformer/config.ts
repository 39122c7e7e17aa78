import { farthestDistance } from "../../inputs/index.ts";
import { add, gelu, mul, relu, type Tensor, tanh } from "../../tensor/index.ts";
import { InputError, messageOf, quote, unknownName } from "../../util/errors.ts";
import { faultOf } from "../../util/json.ts";

export const modelTypes = ["bert", "roberta", "distilbert", "electra", "mpnet"] as const;
export type ModelType = (typeof modelTypes)[number];

/** gelu by a hyperbolic tangent, as some checkpoints were trained. */
function geluByTanh(x: Tensor): Tensor {
  const cubic = add(x, mul(mul(mul(x, x), x), 0.044715));
  return mul(mul(x, 0.5), add(tanh(mul(cubic, Math.sqrt(2 / Math.PI))), 1));
}

export const activations = { gelu, gelu_new: geluByTanh, gelu_pytorch_tanh: geluByTanh, relu } as const;
export type Activation = keyof typeof activations;
const activationNames = Object.keys(activations) as Activation[];

/** Far beyond any model; a number above it is a broken or hostile file. */
const mostLayers = 1000;
const largestSize = 2 ** 24;

/** The numbers of a model of the BERT family, whatever its `config.json` calls them. */
export interface Architecture {
  readonly type: ModelType;
  /** Rows of the table of sub-words. */
  readonly vocabulary: number;
  /** Width of the embeddings; ELECTRA's small models project them to `hidden`. */
  readonly embedding: number;
  readonly hidden: number;
  readonly layers: number;
  readonly heads: number;
  readonly inner: number;
  /** Sub-words that fit into one window, the special ones included. */
  readonly positions: number;
  /** Rows of the table of positions before the first that is used: RoBERTa and MPNet keep some for padding. */
  readonly positionOffset: number;
  /** 0 where the model knows no token types. */
  readonly tokenTypes: number;
  /** Classes of distances that bias attention, as MPNet has them; 0 without such a bias. */
  readonly distanceBuckets: number;
  readonly padding: number;
  readonly epsilon: number;
  readonly activation: Activation;
  readonly dropout: number;
  readonly attentionDropout: number;
}

/** Reads a Hugging Face `config.json`. */
export function parseArchitecture(text: string, file: string): Architecture {
  const config = fieldsOf(text, file);
  const type = config.choice(["model_type"], modelTypes, "architecture not supported");
  config.choice(["position_embedding_type"], ["absolute"], "kind of positions not supported", "absolute");
  const hidden = config.size(["hidden_size", "dim"]);
  const heads = config.size(["num_attention_heads", "n_heads"]);
  if (hidden % heads !== 0) config.fail("hidden_size", `must be a multiple of the ${heads} attention heads`, hidden);
  const countsFromPadding = type === "roberta" || type === "mpnet";
  const padding = config.size(["pad_token_id"], countsFromPadding ? 1 : 0, 0);
  const positionOffset = countsFromPadding ? padding + 1 : 0;
  return {
    type,
    vocabulary: config.size(["vocab_size"]),
    embedding: type === "electra" ? config.size(["embedding_size"], hidden) : hidden,
    hidden,
    layers: config.size(["num_hidden_layers", "n_layers"], undefined, 1, mostLayers),
    heads,
    inner: config.size(["intermediate_size", "hidden_dim"]),
    positions: config.size(["max_position_embeddings"], undefined, positionOffset + 1) - positionOffset,
    positionOffset,
    tokenTypes: type === "distilbert" || type === "mpnet" ? 0 : config.size(["type_vocab_size"], 2),
    distanceBuckets: type === "mpnet" ? distanceBuckets(config) : 0,
    padding,
    epsilon: config.number(["layer_norm_eps"], 1e-12),
    activation: config.choice(["hidden_act", "activation"], activationNames, "activation not supported", "gelu"),
    dropout: config.number(["hidden_dropout_prob", "dropout"], 0.1),
    attentionDropout: config.number(["attention_probs_dropout_prob", "attention_dropout"], 0.1),
  };
}

/** A quarter of the buckets hold one distance each; that must end before the distance from which all share one. */
function distanceBuckets(config: Fields): number {
  return config.size(["relative_attention_num_buckets"], 32, 4, 2 * farthestDistance);
}

interface Fields {
  /** A whole number under the first of the names that is there. */
  size(names: readonly string[], fallback?: number, least?: number, most?: number): number;
  number(names: readonly string[], fallback?: number): number;
  choice<T extends string>(names: readonly string[], known: readonly T[], rule: string, fallback?: T): T;
  fail(name: string, rule: string, value: unknown): never;
}

/** The fields of a JSON object, each checked when it is asked for; null counts as absent. */
function fieldsOf(text: string, file: string): Fields {
  const values = parseObject(text, file);
  const find = (names: readonly string[]): string | undefined => names.find((each) => values[each] != null);
  const fail = (name: string, rule: string, value: unknown): never => {
    throw new InputError(`${name}: ${rule}, got ${quote(value)}`, { file });
  };
  const number = (names: readonly string[], fallback?: number): number => {
    const name = find(names);
    const value = name === undefined ? fallback : values[name];
    return typeof value === "number" ? value : fail(name ?? names.join(" or "), "must be a number", value);
  };
  return {
    fail,
    number,
    size(names, fallback, least = 1, most = largestSize) {
      const value = number(names, fallback);
      if (Number.isInteger(value) && value >= least && value <= most) return value;
      return fail(find(names)!, `must be a whole number from ${least} to ${most}`, value);
    },
    choice(names, known, rule, fallback) {
      const name = find(names);
      const value = name === undefined ? fallback : values[name];
      const found = known.find((each) => each === value);
      if (found !== undefined) return found;
      throw new InputError(`${names[0]}: ${rule}: ${unknownName(String(value), known)}`, { file });
    },
  };
}

/** The object that a JSON file holds. */
export function parseObject(text: string, file: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InputError(`is not JSON: ${messageOf(error)}`, { file });
  }
  const fault = faultOf(value);
  if (fault !== undefined) throw new InputError(`cannot be used: ${fault}`, { file });
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InputError(`must hold a JSON object, got ${quote(value)}`, { file });
  }
  return value as Readonly<Record<string, unknown>>;
}
