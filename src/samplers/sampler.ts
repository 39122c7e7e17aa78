import type { Tensor } from "../tensor/index.ts";
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

/** Picks without looking at the model: the batch is built with the picked spans alone. */
export interface BlindSampler {
  readonly name: string;
  readonly kind: "blind";
  /** Distinct numbers in `[0, candidates)`. */
  choose(draw: Draw): ArrayLike<number>;
}

/** What the model says of all unknown spans of a batch, through which no gradient flows. */
export interface Candidates {
  /** `[batch, candidates, labels]`; label 0 is "not an entity". */
  readonly logProbs: Tensor;
  /** `[batch, candidates, width]` */
  readonly hidden: Tensor;
  /** Uniform numbers in (0, 1), `[batch, candidates]`, keyed as `Draw.rng` is. */
  readonly noise: Tensor;
  /** Completed epochs, a scalar. */
  readonly epoch: Tensor;
  /** How many epochs the run has at most. */
  readonly epochs: number;
}

/**
 * Picks by what the model says in the same forward pass, inside the graph: of the unknown spans of a sentence, those of
 * the highest priority. Priorities with noise in them are draws without replacement.
 */
export interface ScoredSampler {
  readonly name: string;
  readonly kind: "scored";
  /** How many of a sentence are picked; never more than there are. */
  count(draw: Pick<Draw, "length" | "candidates" | "epoch">): number;
  /** `[batch, candidates]`, higher first. */
  priority(candidates: Candidates): Tensor;
}

export type Sampler = BlindSampler | ScoredSampler;
