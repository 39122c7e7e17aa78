import { dropout, hideBias, linear, type Noise, normalise, type Parameters, transformerBlock } from "../../nn/index.ts";
import {
  add,
  flatten,
  gather,
  gatherSmall,
  input,
  plus,
  slice,
  type Tensor,
  transpose,
  unsqueeze,
} from "../../tensor/index.ts";
import type { EncoderBatch, EncoderContext } from "../encoder.ts";
import { type Architecture, activations } from "./config.ts";
import { wordTable } from "./weights.ts";

/** Dropout rates in training. */
export interface DropoutRates {
  readonly dropout: number;
  readonly attentionDropout: number;
}

/** What becomes of the states `[windows, pieces, hidden]` behind a layer, numbered from 1, before the next one sees them. */
export type AfterLayer = (states: Tensor, layer: number, noise: Noise | undefined) => Tensor;

/** The states `[windows, pieces, hidden]` behind the first layers of a model, computed before. */
export interface LowerLayers {
  readonly states: Tensor;
  /** How many layers they have been through. */
  readonly layers: number;
}

/**
 * The graph of the model, from embeddings to the states of the last layer: `[windows, pieces, hidden]`. All its
 * parameters must have been declared. With the states of the lower layers it begins above them.
 */
export function states(
  params: Parameters,
  weights: ReadonlyMap<string, Tensor>,
  architecture: Architecture,
  rates: DropoutRates,
  { noise, questions = false }: EncoderContext,
  after: AfterLayer = (x) => x,
  lower?: LowerLayers,
): Tensor {
  const { hidden, heads, inner, epsilon, layers } = architecture;
  const rowNoise = noise && perRow(noise);
  const visible = input("transformer.visible", "float32", ["windows", "pieces"]);
  const hiding = hideBias(unsqueeze(unsqueeze(visible, 1), 1)); // [windows, 1, 1, pieces]
  const near = distanceBias(weights);
  const bias = near ? add(hiding, near) : hiding;
  const embedded = (): Tensor => {
    const normalised = normalise(params, "transformer.norm", embeddings(weights, architecture, questions), epsilon);
    const x = dropout(normalised, rates.dropout, rowNoise, "transformer.embeddings");
    return architecture.embedding === hidden ? x : linear(params, "transformer.project", x, hidden);
  };
  let x = lower?.states ?? embedded();
  const options = {
    heads,
    inner,
    epsilon,
    ...rates,
    noise: rowNoise,
    activation: activations[architecture.activation],
  };
  for (let layer = lower?.layers ?? 0; layer < layers; layer++)
    x = after(transformerBlock(params, `transformer.${layer}`, x, bias, options), layer + 1, rowNoise);
  return x;
}

/** What attention adds for the distance of two sub-words, the same in all layers: `[heads, pieces, pieces]`. */
function distanceBias(weights: ReadonlyMap<string, Tensor>): Tensor | undefined {
  const table = weights.get("transformer.distances");
  if (!table) return undefined;
  const buckets = input("transformer.buckets", "int32", ["pieces", "pieces"]);
  return transpose(gatherSmall(table, buckets), [2, 0, 1]);
}

/** Words, positions and token types, the first where there are no questions: `[windows, pieces, embedding]`. */
function embeddings(
  weights: ReadonlyMap<string, Tensor>,
  { embedding, positionOffset, tokenTypes }: Architecture,
  questions: boolean,
): Tensor {
  const words = input(wordTable.name, "float32", ["windows", "pieces", embedding]);
  const positions = weights.get("transformer.positions")!;
  const placed = add(words, slice(positions, 0, positionOffset, plus("pieces", positionOffset)));
  const types = weights.get("transformer.types");
  if (!types) return placed;
  if (!questions || tokenTypes < 2) return add(placed, slice(types, 0, 0, 1));
  return add(placed, gatherSmall(types, input("transformer.segments", "int32", ["windows", "pieces"])));
}

/** Vectors of words `[batch, time, hidden]` from the states, by the input that says where each one stands. */
export function wordStates(all: Tensor, which: "first" | "last"): Tensor {
  return gather(flatten(all), input(`transformer.${which}`, "int32", ["batch", "time"]));
}

/** A key for each window from the keys of the sentences. */
function perRow({ keys }: Noise): Noise {
  const sentence = input("transformer.sentence", "int32", ["windows"]);
  const salt = input("transformer.salt", "int32", ["windows"]);
  return { keys: add(gather(keys, sentence), salt) };
}

/** Multiply–add operations ×2 of a forward pass. */
export function forwardFlops({ embedding, hidden, inner, layers }: Architecture, { feeds }: EncoderBatch): number {
  const [windows, pieces] = feeds["transformer.visible"]!.shape as [number, number];
  const perPiece = layers * (4 * hidden * hidden + 2 * hidden * inner + 2 * pieces * hidden);
  const projection = embedding === hidden ? 0 : embedding * hidden;
  return 2 * windows * pieces * (perPiece + projection);
}
