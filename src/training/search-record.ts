import type { Shift } from "../inference/index.ts";

/** A training that was tried out before another was chosen. */
export interface Trial {
  readonly name: string;
  readonly method: string;
  /** Settings beside those of the method, as `--set` takes them. */
  readonly settings: readonly string[];
  readonly epochs: number;
  /** On dev, with the shift that is best there; nothing where the training failed. */
  readonly f1: number | null;
  /** On dev, without a shift. */
  readonly unshifted: number | null;
  readonly shift?: Shift | undefined;
  readonly seconds: number;
  /** Why it failed. */
  readonly failure?: string | undefined;
}

/** What a method tells that tries others out. */
export type SearchRecord =
  | {
      readonly kind: "proposal";
      /** What is known of the data, in words. */
      readonly facts: string;
      readonly candidates: readonly { readonly name: string; readonly reason: string }[];
      /** The names of others that suit the data, but do not fit into the time. */
      readonly leftOut: readonly string[];
      /** How they will be compared, in words. */
      readonly plan: string;
    }
  | { readonly kind: "trial"; readonly trial: Trial }
  /** The training that follows, why, and everything that was tried. */
  | {
      readonly kind: "choice";
      readonly method: string;
      readonly epochs: number;
      readonly reason: string;
      readonly trials: readonly Trial[];
    };
