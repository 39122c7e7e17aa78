import type { Chain } from "../../src/nn/index.ts";
import { gaussian, type Random } from "../../src/util/random.ts";

/** A sentence of a chain whose sequences are few enough to be listed, in float64. */
export interface SmallChain extends Chain<readonly number[]> {
  readonly tags: number;
  readonly length: number;
  readonly emissions: readonly number[];
}

export function smallChain(tags: number, length: number, rng: Random): SmallChain {
  const draw = (count: number): number[] => Array.from({ length: count }, () => Math.fround(2 * gaussian(rng)));
  return {
    tags,
    length,
    emissions: draw(length * tags),
    transitions: draw(tags * tags),
    start: draw(tags),
    end: draw(tags),
  };
}

export function* sequences(tags: number, length: number): Generator<number[]> {
  for (let code = 0; code < tags ** length; code++) {
    yield Array.from({ length }, (_, token) => Math.floor(code / tags ** token) % tags);
  }
}

/** Terms of a score, one for each emission, transition and end, so that a test can leave some out. */
export interface Kept {
  emission(token: number): boolean;
  /** The transition into a token, for token 0 the start. */
  entry(token: number): boolean;
  readonly end: boolean;
}

const everything: Kept = { emission: () => true, entry: () => true, end: true };

export function scoreOf(chain: SmallChain, path: readonly number[], kept: Kept = everything): number {
  let score = 0;
  path.forEach((tag, token) => {
    if (kept.emission(token)) score += chain.emissions[token * chain.tags + tag]!;
    if (kept.entry(token))
      score += token === 0 ? chain.start[tag]! : chain.transitions[path[token - 1]! * chain.tags + tag]!;
  });
  return kept.end && path.length > 0 ? score + chain.end[path.at(-1)!]! : score;
}

/** log Σ exp(score) over the sequences that a test admits, by listing all of them. */
export function listedLogPartition(
  chain: SmallChain,
  admits: (path: readonly number[]) => boolean = () => true,
  kept: Kept = everything,
): number {
  let total = 0;
  for (const path of sequences(chain.tags, chain.length))
    if (admits(path)) total += Math.exp(scoreOf(chain, path, kept));
  return Math.log(total);
}

/** Whether each tag of a sequence is among those allowed at its position. */
export const admitted =
  (allowed: readonly (readonly boolean[])[]) =>
  (path: readonly number[]): boolean =>
    path.every((tag, token) => allowed[token]![tag]);
