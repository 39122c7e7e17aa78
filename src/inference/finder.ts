import type { Sentence } from "../text/index.ts";
import type { Candidate, Overlap } from "./decode.ts";

/** What a kind of model brings to prediction: candidates for entities in sentences of bounded length. */
export interface Finder {
  /** How candidates go together, where the model leaves no choice. */
  readonly overlap?: Overlap;
  /** Places that a sentence takes in a row of the encoder's batch. */
  size(sentence: Sentence): number;
  /** Whether so many rows of this size, with sentences of up to this length, may go through the model at once. */
  fits(rows: number, size: number, length: number): boolean;
  /** Candidates of each sentence, with tokens numbered in it. */
  candidates(sentences: readonly Sentence[]): Promise<Candidate[][]>;
  dispose(): Promise<void>;
}
