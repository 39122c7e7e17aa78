import { type Chain, impossible } from "./chain.ts";

/** Finds the best tags of a sentence. `allowed` (like the emissions, 0 or not) narrows the choice. */
export type BestPath = (emissions: ArrayLike<number>, allowed?: ArrayLike<number>) => Int32Array;

/**
 * Finds the tag sequence with the highest score for the emissions of a sentence, row by row. Of equal sequences the one
 * with the smaller tag at the last place where they differ.
 */
export function viterbi({ transitions, start, end }: Chain<ArrayLike<number>>): BestPath {
  const tags = start.length;
  const { order, scores } = predecessors(transitions, tags);
  return (emissions, allowed) => {
    const length = chainLength("viterbi", emissions, tags, allowed);
    if (length === 0) return new Int32Array();
    const emission = (at: number): number => emissions[at]! + (allowed && !allowed[at] ? impossible : 0);
    const from = new Int32Array(length * tags);
    let reached = Float64Array.from({ length: tags }, (_, tag) => start[tag]! + emission(tag));
    let next = new Float64Array(tags);
    for (let token = 1; token < length; token++) {
      let most = reached[0]!;
      for (let tag = 1; tag < tags; tag++) if (reached[tag]! > most) most = reached[tag]!;
      for (let tag = 0; tag < tags; tag++) {
        // The innermost loop of all decoding: no function is called in it. It ends where no predecessor can be better.
        const last = (tag + 1) * tags;
        let best = order[tag * tags]!;
        let highest = reached[best]! + scores[tag * tags]!;
        for (let at = tag * tags + 1; at < last && most + scores[at]! >= highest; at++) {
          const before = order[at]!;
          const found = reached[before]! + scores[at]!;
          if (found > highest || (found === highest && before < best)) {
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
  };
}

/** For each tag all tags before it, the best transition first, and the scores of these: `[tags, tags]` each. */
function predecessors(transitions: ArrayLike<number>, tags: number): { order: Int32Array; scores: Float64Array } {
  const order = new Int32Array(tags * tags);
  const scores = new Float64Array(tags * tags);
  for (let tag = 0; tag < tags; tag++) {
    const score = (before: number): number => transitions[before * tags + tag]!;
    const sorted = Array.from({ length: tags }, (_, before) => before).sort((a, b) => score(b) - score(a) || a - b);
    order.set(sorted, tag * tags);
    scores.set(sorted.map(score), tag * tags);
  }
  return { order, scores };
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
