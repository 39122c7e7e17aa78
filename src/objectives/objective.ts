import type { Tensor } from "../tensor/index.ts";

/** What an objective sees of the spans (or tokens) that train in this step. */
export interface Scored {
  /** `[batch, items, labels]` */
  readonly logits: Tensor;
  /** `[batch, items, width]`: the vectors from which the logits come. */
  readonly hidden: Tensor;
  /** int32 `[batch, items]`; 0 is "not an entity", and stands too where an item has no label (see `allowed`). */
  readonly labels: Tensor;
  /** `[batch, items, labels]`: 1 where a label is allowed. Absent when every item has just the one of `labels`. */
  readonly allowed?: Tensor | undefined;
  /** `[batch, items, labels]`: shares of a teacher, or zeros where an item has none. Absent when no item has any. */
  readonly targets?: Tensor | undefined;
  /**
   * `[batch, items, labels]`: 1 for every label that the annotation leaves possible, before a head makes anything of
   * silence: one where it names it, all where nobody spoke. Only for objectives that ask, by `wantsOpen`.
   */
  readonly open?: Tensor | undefined;
  /** The names of the types, where label i + 1 is type i. */
  readonly types?: readonly string[] | undefined;
  /** `[batch, items]`: 1 for what trains, 0 for padding. */
  readonly weights: Tensor;
  /** Number of completed epochs, a float32 scalar fed at each step. */
  readonly epoch: Tensor;
  /** Uniform numbers in (0, 1), `[batch, items]`, for objectives that look at some of the items. */
  readonly noise: Tensor;
}

/** How the losses of the items become one number. */
export type Reduction = "mean" | "sum";

/** Scores and targets → a scalar to be made small. */
export interface Objective {
  readonly name: string;
  /** How it adds up items; heads that score whole sentences add these up in the same way. */
  readonly reduction: Reduction;
  /** Asks the head for what the annotation leaves open; heads that cannot tell give nothing. */
  readonly wantsOpen?: boolean;
  loss(scored: Scored): Tensor;
}
