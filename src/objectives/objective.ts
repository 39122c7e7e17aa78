import type { Tensor } from "../tensor/index.ts";

/** What an objective sees of the spans (or tokens) that train in this step. */
export interface Scored {
  /** `[batch, items, labels]` */
  readonly logits: Tensor;
  /** `[batch, items, width]`: the vectors from which the logits come. */
  readonly hidden: Tensor;
  /** int32 `[batch, items]`; 0 is "not an entity". */
  readonly labels: Tensor;
  /** `[batch, items]`: 1 for what trains, 0 for padding. */
  readonly weights: Tensor;
  /** Number of completed epochs, a float32 scalar fed at each step. */
  readonly epoch: Tensor;
  /** Uniform numbers in (0, 1), `[batch, items]`, for objectives that look at some of the items. */
  readonly noise: Tensor;
}

/** Scores and targets → a scalar to be made small. */
export interface Objective {
  readonly name: string;
  loss(scored: Scored): Tensor;
}
