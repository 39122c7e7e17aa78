import { glorot, hideBias, type Parameters, widthOf } from "../../nn/index.ts";
import { add, matmul, mul, softmax, type Tensor } from "../../tensor/index.ts";

/**
 * For each position the mean of the words there, each weighted by how well it fits the position's state by a bilinear form:
 * `states` `[rows, positions, hidden]`, `words` `[rows, words, width]`, and `at`, 1 in `[rows, positions, words]` where a
 * word stands at a position → `[rows, positions, width]`, 0 where there is no word.
 */
export function wordAttention(params: Parameters, name: string, states: Tensor, words: Tensor, at: Tensor): Tensor {
  const form = params.declare(`${name}.weight`, [widthOf(states), widthOf(words)], glorot);
  const keys = matmul(words, form, { transB: true }); // [rows, words, hidden]
  const scores = matmul(states, keys, { transB: true }); // [rows, positions, words]
  const shares = softmax(add(scores, hideBias(at)));
  return matmul(mul(shares, at), words);
}
