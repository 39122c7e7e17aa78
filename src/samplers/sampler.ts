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
  /** Keyed by (seed, sentence): the same draw at every visit. */
  readonly fixedRng: Random;
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

/** The spans of a batch, known and unknown together: `[batch, spans]`. No gradient flows through them. */
export interface BatchSpans {
  /** `[batch, spans, width]`: the vectors from which the logits come, as they train (with dropout). */
  readonly hidden: Tensor;
  /** `[batch, spans, …]`: what the scorer makes the hidden states of. Built only for who asks. */
  vectors(): Tensor;
  /** 1 for labelled entities. */
  readonly positives: Tensor;
  /** Uniform numbers in (0, 1), keyed as `Draw.rng` is. */
  readonly noise: Tensor;
}

/**
 * Picks over a whole batch, inside the graph, by what the scorer says of all its spans. These are scored once, with a
 * gradient, and those that are not picked weigh nothing.
 */
export interface BatchSampler {
  readonly name: string;
  readonly kind: "batch";
  /** How many unknown spans of a batch are picked; never more than there are. */
  count(batch: { readonly candidates: number; readonly positives: number }): number;
  /** `[batch, spans]`, higher first; equal ones in the order of sentence, start and end. Only unknown spans are picked. */
  priority(spans: BatchSpans): Tensor;
}

export type Sampler = BlindSampler | ScoredSampler | BatchSampler;
