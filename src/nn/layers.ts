import {
  add,
  coins,
  flatten,
  gatherSmall,
  layerNorm,
  matmul,
  mul,
  reshape,
  sub,
  type Tensor,
  where,
} from "../tensor/index.ts";
import { keyOf } from "../util/random.ts";
import { glorot, type Initialiser, normal, one, zero } from "./initialise.ts";
import type { Parameters } from "./parameters.ts";

/** x·W + b over the last axis. */
export function linear(
  params: Parameters,
  name: string,
  x: Tensor,
  width: number,
  { bias = true, initialise = glorot }: { readonly bias?: boolean; readonly initialise?: Initialiser } = {},
): Tensor {
  const weight = params.declare(`${name}.weight`, [widthOf(x), width], initialise);
  if (!bias) return matmul(x, weight);
  // As a plain matrix the product and the sum become one op of the runtime.
  const sum = add(matmul(flatten(x), weight), params.declare(`${name}.bias`, [width], zero));
  return reshape(sum, [...x.shape.slice(0, -1), width]);
}

/** Rows of a small table that lives in the graph (characters, widths, shapes of words). */
export function embedding(params: Parameters, name: string, ids: Tensor, rows: number, width: number): Tensor {
  return gatherSmall(
    params.declare(`${name}.weight`, [rows, width], normal(1 / Math.sqrt(width)), { decay: false }),
    ids,
  );
}

export function normalise(params: Parameters, name: string, x: Tensor, epsilon = 1e-12): Tensor {
  const width = widthOf(x);
  return layerNorm(
    x,
    params.declare(`${name}.weight`, [width], one),
    params.declare(`${name}.bias`, [width], zero),
    epsilon,
  );
}

/** Randomness of one training step: a key for each sentence of the batch. Without it nothing is dropped. */
export interface Noise {
  readonly keys: Tensor;
}

/**
 * Zeroes a share of the numbers and scales up the rest. The first axis of x is the batch. `name` makes the draws of
 * different places independent. With `shared`, one draw serves all positions of the second axis (variational dropout).
 */
export function dropout(
  x: Tensor,
  rate: number,
  noise: Noise | undefined,
  name: string,
  { shared = false } = {},
): Tensor {
  if (!(rate >= 0 && rate < 1)) throw new RangeError(`dropout: rate must lie in [0, 1), got ${rate}`);
  if (!noise || rate === 0) return x;
  const tail = shared ? [1, ...x.shape.slice(2)] : x.shape.slice(1);
  const dropped = coins(noise.keys, tail, rate, keyOf(0, "dropout", name));
  return mul(x, where(dropped, 0, 1 / (1 - rate)));
}

/**
 * Sets all numbers of a share of the positions of the second axis to 0, `[batch, time, …]`: in training a model must do
 * without some words. What is left is not scaled up.
 */
export function wordDropout(x: Tensor, rate: number, noise: Noise | undefined, name: string): Tensor {
  if (!(rate >= 0 && rate < 1)) throw new RangeError(`word dropout: rate must lie in [0, 1), got ${rate}`);
  if (!noise || rate === 0) return x;
  const tail = x.shape.slice(1).map((dim, axis) => (axis === 0 ? dim : 1));
  const dropped = coins(noise.keys, tail, rate, keyOf(0, "word dropout", name));
  return mul(x, where(dropped, 0, 1));
}

/** Far below any score: its share in a softmax is exactly 0. */
const hiddenScore = -1e9;

/** What is added to scores before a softmax so that only what is visible counts: 0 where `visible` is 1. */
export function hideBias(visible: Tensor): Tensor {
  return mul(sub(1, visible), hiddenScore);
}

export function widthOf(x: Tensor): number {
  const width = x.shape.at(-1);
  if (typeof width !== "number") throw new TypeError(`layer: the last axis must have a fixed width, got ${width}`);
  return width;
}
