import { constant, flatten, matmul, reshape, type Tensor } from "../tensor/index.ts";
import { linear } from "./layers.ts";
import type { Parameters } from "./parameters.ts";

/**
 * The corners of a regular simplex with its centre at 0: `count` unit vectors of `count − 1` numbers, row by row, with the
 * same angle between any two (Zhang and Liu 2014: angle-based classification).
 */
export function simplexVertices(count: number): Float64Array {
  if (!Number.isInteger(count) || count < 2)
    throw new RangeError(`simplex: needs a whole number of at least 2 corners, got ${count}`);
  const width = count - 1;
  const rows = new Float64Array(count * width).fill(width ** -0.5, 0, width);
  for (let row = 1; row < count; row++) {
    rows.fill(-(1 + Math.sqrt(count)) / width ** 1.5, row * width, (row + 1) * width);
    rows[row * width + row - 1]! += Math.sqrt(count / width);
  }
  return rows;
}

/**
 * Scores of `count` classes as products of `count − 1` outputs with the corners of a simplex. They always sum to 0, so
 * that the score of one class means the same at every item.
 */
export function angles(params: Parameters, name: string, x: Tensor, count: number): Tensor {
  const corners = constant([...simplexVertices(count)], [count, count - 1]);
  const outputs = linear(params, name, x, count - 1);
  return reshape(matmul(flatten(outputs), corners, { transB: true }), [...x.shape.slice(0, -1), count]);
}
