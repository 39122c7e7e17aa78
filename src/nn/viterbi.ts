import { type Chain, impossible } from "./chain.ts";

/**
 * The tag sequence with the highest score, for the emissions of one sentence, row by row. Of equal sequences the one with
 * the smaller tag at the last place where they differ. `allowed` (like the emissions, 0 or not) narrows the choice.
 */
export function viterbi(
  emissions: ArrayLike<number>,
  { transitions, start, end }: Chain<ArrayLike<number>>,
  allowed?: ArrayLike<number>,
): Int32Array {
  const tags = start.length;
  const length = chainLength("viterbi", emissions, tags, allowed);
  if (length === 0) return new Int32Array();
  const emission = (at: number): number => emissions[at]! + (allowed && !allowed[at] ? impossible : 0);
  const from = new Int32Array(length * tags);
  const scores = Float64Array.from(transitions);
  let reached = Float64Array.from({ length: tags }, (_, tag) => start[tag]! + emission(tag));
  let next = new Float64Array(tags);
  for (let token = 1; token < length; token++) {
    for (let tag = 0; tag < tags; tag++) {
      // The innermost loop of all decoding: no function is called in it.
      let best = 0;
      let highest = reached[0]! + scores[tag]!;
      for (let before = 1; before < tags; before++) {
        const found = reached[before]! + scores[before * tags + tag]!;
        if (found > highest) {
          best = before;
          highest = found;
        }
      }
      from[token * tags + tag] = best;
      next[tag] = highest + emission(token * tags + tag);
    }
    [reached, next] = [next, reached];
  }
  const path = new Int32Array(length);
  path[length - 1] = lastTag(reached, end);
  for (let token = length - 1; token > 0; token--) path[token - 1] = from[token * tags + path[token]!]!;
  return path;
}

function lastTag(reached: Float64Array, end: ArrayLike<number>): number {
  let best = 0;
  for (let tag = 1; tag < reached.length; tag++)
    if (reached[tag]! + end[tag]! > reached[best]! + end[best]!) best = tag;
  return best;
}

/** How many positions the emissions of a sentence have. */
export function chainLength(
  what: string,
  emissions: ArrayLike<number>,
  tags: number,
  allowed: ArrayLike<number> | undefined,
): number {
  const length = emissions.length / tags;
  if (tags === 0 || !Number.isInteger(length)) {
    throw new RangeError(`${what}: ${emissions.length} emissions do not make rows of ${tags} tags`);
  }
  if (allowed && allowed.length !== emissions.length) {
    throw new RangeError(`${what}: need ${emissions.length} flags of allowed tags, got ${allowed.length}`);
  }
  return length;
}
