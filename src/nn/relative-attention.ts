import {
  add,
  expand,
  flatten,
  matmul,
  relu,
  reshape,
  softmax,
  type Tensor,
  takeAlong,
  transpose,
} from "../tensor/index.ts";
import { glorot } from "./initialise.ts";
import { dropout, linear, type Noise, normalise, widthOf } from "./layers.ts";
import type { Parameters } from "./parameters.ts";

/** How queries and keys lie to one another. */
export interface Relations {
  /** A vector for each relation that occurs: `[relations, width]`. */
  readonly vectors: Tensor;
  /** The number of the relation of each pair: int32 `[batch, queries, keys]`. */
  readonly pairs: Tensor;
}

export interface RelativeOptions {
  readonly heads: number;
  readonly inner: number;
  /** Behind the attention and behind the inner layer's way back. */
  readonly dropout?: number;
  /** Of the inner layer. */
  readonly innerDropout?: number;
  readonly noise?: Noise | undefined;
}

/**
 * Attention of `queries` `[batch, queries, width]` to `keys` `[batch, keys, width]` with relative positions (Dai et al.
 * 2019): the score of query i and key j is (q_i + u)·k_j + (q_i + v)·r_ij, where r_ij belongs to their relation. `bias` is
 * added to the scores `[batch, heads, queries, keys]` by broadcasting. Relations are far fewer than pairs, so each query
 * meets every relation once and pairs pick their score: nothing of the size pairs × width is built.
 */
export function relativeAttention(
  params: Parameters,
  name: string,
  queries: Tensor,
  keys: Tensor,
  { vectors, pairs }: Relations,
  bias: Tensor,
  heads: number,
): Tensor {
  const width = widthOf(queries);
  if (width % heads !== 0) throw new RangeError(`attention: width ${width} must be a multiple of ${heads} heads`);
  const size = width / heads;
  const [batch, time] = queries.shape;
  const project = (part: string, x: Tensor): Tensor => linear(params, `${name}.${part}`, x, width, { bias: false });
  const asked = project("query", queries);
  const askedWith = (part: string): Tensor =>
    add(asked, reshape(params.declare(`${name}.${part}`, [heads, size], glorot, { decay: false }), [width]));
  /** `[a, b, width]` → `[a, heads, b, size]` */
  const byHead = (x: Tensor): Tensor => transpose(reshape(x, [x.shape[0]!, x.shape[1]!, heads, size]), [0, 2, 1, 3]);
  /** `[rows, width]` → `[heads, rows, size]` */
  const headRows = (x: Tensor): Tensor => transpose(reshape(x, [x.shape[0]!, heads, size]), [1, 0, 2]);

  const content = matmul(byHead(askedWith("u")), byHead(project("key", keys)), { transB: true });
  const met = matmul(headRows(flatten(askedWith("v"))), headRows(project("relation", vectors)), { transB: true });
  const numbers = flatten(pairs); // [batch*queries, keys]
  const picked = takeAlong(met, expand(reshape(numbers, [1, ...numbers.shape]), [heads, ...numbers.shape]));
  const positions = transpose(reshape(picked, [heads, ...pairs.shape]), [1, 0, 2, 3]);
  const shares = softmax(add(add(content, positions), bias));
  const mixed = matmul(shares, byHead(linear(params, `${name}.value`, keys, width)));
  return reshape(transpose(mixed, [0, 2, 1, 3]), [batch!, time!, width]);
}

const epsilon = 1e-5;

/** A layer of FLAT (Li et al. 2020): relative attention and an inner layer, normalised after each sum. */
export function relativeBlock(
  params: Parameters,
  name: string,
  queries: Tensor,
  keys: Tensor,
  relations: Relations,
  bias: Tensor,
  { heads, inner, dropout: rate = 0, innerDropout = 0, noise }: RelativeOptions,
): Tensor {
  const attended = relativeAttention(params, `${name}.attention`, queries, keys, relations, bias, heads);
  const seen = add(queries, dropout(attended, rate, noise, `${name}.attention`));
  const middle = normalise(params, `${name}.attention.norm`, seen, epsilon);
  const hidden = relu(linear(params, `${name}.inner`, middle, inner));
  const dropped = dropout(hidden, innerDropout, noise, `${name}.inner`);
  const output = dropout(linear(params, `${name}.outer`, dropped, widthOf(queries)), rate, noise, `${name}.outer`);
  return normalise(params, `${name}.norm`, add(middle, output), epsilon);
}
