import { concat, greater, max, mul, pad, plus, slice, type Tensor, unsqueeze, where } from "../tensor/index.ts";
import { embedding, linear } from "./layers.ts";
import type { Parameters } from "./parameters.ts";

/**
 * A convolution over the second axis of `x` `[rows, length, width]`, with zeros on both sides so that the length stays:
 * `[rows, length, filters]`. Windows side by side make it one product.
 */
export function convolution(params: Parameters, name: string, x: Tensor, filters: number, kernel: number): Tensor {
  if (!Number.isInteger(kernel) || kernel < 1 || kernel % 2 === 0)
    throw new RangeError(`convolution: the kernel must be an odd number, got ${kernel}`);
  const side = (kernel - 1) / 2;
  const padded = pad(x, 1, side, side);
  const length = x.shape[1]!;
  const shifts = Array.from({ length: kernel }, (_, shift) => slice(padded, 1, shift, plus(length, shift)));
  return linear(params, name, concat(shifts, -1), filters);
}

export interface CharCnnOptions {
  /** Number of character ids. */
  readonly rows: number;
  readonly width: number;
  readonly filters: number;
  readonly kernel: number;
}

/** Lower than any feature, and finite. */
const lowest = -1e30;

/**
 * Words from their characters: `ids` int32 `[words, chars]` with `mask` `[words, chars]` → `[words, filters]`, the maximum
 * of each filter over the characters. Padding does not count, and a word without characters is 0. A rising activation
 * gives the same before the maximum and after it, so it is left to the caller.
 */
export function charCnn(
  params: Parameters,
  name: string,
  ids: Tensor,
  mask: Tensor,
  { rows, width, filters, kernel }: CharCnnOptions,
): Tensor {
  const present = unsqueeze(mask, -1); // [words, chars, 1]
  const characters = mul(embedding(params, `${name}.embedding`, ids, rows, width), present);
  const features = convolution(params, `${name}.convolution`, characters, filters, kernel);
  const highest = max(where(greater(present, 0.5), features, lowest), { axes: 1 });
  return where(greater(max(mask, { axes: 1, keep: true }), 0.5), highest, 0);
}
