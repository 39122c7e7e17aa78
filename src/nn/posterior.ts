import { type Chain, impossible } from "./chain.ts";
import { chainLength } from "./viterbi.ts";

/**
 * The probability of each tag at each position of one sentence, row by row: forward and backward sums in float64, outside
 * of the engine. `allowed` (like the emissions, 0 or not) says which sequences there are.
 */
export function posterior(
  emissions: ArrayLike<number>,
  { transitions, start, end }: Chain<ArrayLike<number>>,
  allowed?: ArrayLike<number>,
): Float64Array {
  const tags = start.length;
  const length = chainLength("posterior", emissions, tags, allowed);
  const score = (at: number): number => emissions[at]! + (allowed && !allowed[at] ? impossible : 0);
  const forward = new Float64Array(length * tags);
  const backward = new Float64Array(length * tags);
  for (let token = 0; token < length; token++) {
    for (let tag = 0; tag < tags; tag++) {
      const into = (before: number): number =>
        forward[(token - 1) * tags + before]! + transitions[before * tags + tag]!;
      const reached = token === 0 ? start[tag]! : logSumOf(tags, into);
      forward[token * tags + tag] = reached + score(token * tags + tag);
    }
  }
  for (let token = length - 1; token >= 0; token--) {
    for (let tag = 0; tag < tags; tag++) {
      const onward = (after: number): number => {
        const at = (token + 1) * tags + after;
        return transitions[tag * tags + after]! + score(at) + backward[at]!;
      };
      backward[token * tags + tag] = token === length - 1 ? end[tag]! : logSumOf(tags, onward);
    }
  }
  const total = length === 0 ? 0 : logSumOf(tags, (tag) => forward[tag]! + backward[tag]!);
  return forward.map((each, at) => Math.exp(each + backward[at]! - total));
}

function logSumOf(count: number, term: (i: number) => number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < count; i++) most = Math.max(most, term(i));
  let total = 0;
  for (let i = 0; i < count; i++) total += Math.exp(term(i) - most);
  return most + Math.log(total);
}
