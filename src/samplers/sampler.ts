import type { Random } from "../util/random.ts";

/** One sentence at one visit: a sampler picks some of its unknown spans to serve as negatives now. */
export interface Draw {
  /** Number of tokens. */
  readonly length: number;
  /** Number of unknown spans; the sampler answers with numbers below this. */
  readonly candidates: number;
  /** Completed epochs. */
  readonly epoch: number;
  /** Keyed by (seed, epoch, sentence): the same draw whatever the batch. */
  readonly rng: Random;
}

export interface Sampler {
  readonly name: string;
  /** Distinct numbers in `[0, candidates)`. */
  choose(draw: Draw): ArrayLike<number>;
}
