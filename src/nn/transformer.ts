import { add, gelu, matmul, reshape, softmax, type Tensor, transpose } from "../tensor/index.ts";
import { normal } from "./initialise.ts";
import { dropout, linear, type Noise, normalise, widthOf } from "./layers.ts";
import type { Parameters } from "./parameters.ts";

export interface TransformerOptions {
  readonly heads: number;
  readonly inner: number;
  readonly epsilon?: number;
  readonly dropout?: number;
  readonly attentionDropout?: number;
  readonly noise?: Noise | undefined;
  readonly activation?: (x: Tensor) => Tensor;
}

const weights = { initialise: normal(0.02) };

/**
 * Multi-head self-attention over `x` `[batch, time, width]`. `bias` is added to the scores `[batch, heads, time, time]`
 * by broadcasting: a large negative number where a position must not be seen.
 */
export function attention(
  params: Parameters,
  name: string,
  x: Tensor,
  bias: Tensor,
  options: TransformerOptions,
): Tensor {
  const { heads, noise, attentionDropout = 0 } = options;
  const [batch, time] = x.shape;
  const width = widthOf(x);
  if (width % heads !== 0) throw new RangeError(`attention: width ${width} must be a multiple of ${heads} heads`);
  const size = width / heads;
  const project = (part: string): Tensor => {
    const y = linear(params, `${name}.${part}`, x, width, weights);
    return transpose(reshape(y, [batch!, time!, heads, size]), [0, 2, 1, 3]); // [batch, heads, time, size]
  };
  const scores = matmul(project("query"), project("key"), { transB: true, scale: 1 / Math.sqrt(size) });
  const shares = dropout(softmax(add(scores, bias)), attentionDropout, noise, `${name}.shares`);
  const mixed = transpose(matmul(shares, project("value")), [0, 2, 1, 3]);
  return linear(params, `${name}.output`, reshape(mixed, [batch!, time!, width]), width, weights);
}

/** A block of the original transformer, normalised after each sum as BERT does. */
export function transformerBlock(
  params: Parameters,
  name: string,
  x: Tensor,
  bias: Tensor,
  options: TransformerOptions,
): Tensor {
  const { inner, noise, epsilon = 1e-12, dropout: rate = 0, activation = gelu } = options;
  const attended = dropout(attention(params, `${name}.attention`, x, bias, options), rate, noise, `${name}.attention`);
  const middle = normalise(params, `${name}.attention.norm`, add(x, attended), epsilon);
  const hidden = activation(linear(params, `${name}.inner`, middle, inner, weights));
  const output = dropout(linear(params, `${name}.outer`, hidden, widthOf(x), weights), rate, noise, `${name}.outer`);
  return normalise(params, `${name}.norm`, add(middle, output), epsilon);
}
