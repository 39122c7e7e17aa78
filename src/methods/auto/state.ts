import type { RunOptions, TrainingData, Trial } from "../../training/index.ts";
import type { OtherMethods } from "../method.ts";
import type { Entry } from "./entries.ts";
import type { Plan } from "./halving.ts";
import type { AutoComplete } from "./settings.ts";

/** What a search decided once, and what came of it so far: an interrupted one repeats its decisions from this file. */
export interface SearchState {
  /** Seconds of an epoch of plain training, and of a start. */
  readonly rate: { readonly epoch: number; readonly start: number };
  readonly plan: Plan;
  readonly trials: readonly Trial[];
}

export interface Found {
  readonly winner: Entry;
  /** Epochs of its full training. */
  readonly epochs: number;
  /** What was tried. */
  readonly candidates: readonly Entry[];
  /** What suits the data, but did not fit into the time. */
  readonly leftOut: readonly Entry[];
  readonly trials: readonly Trial[];
  readonly plan: Plan;
  readonly rate: SearchState["rate"];
}

/** What trials work with. */
export interface TrialContext {
  /** The folder of all trials. */
  readonly folder: string;
  readonly data: TrainingData;
  readonly settings: AutoComplete;
  readonly options: RunOptions;
  readonly others: OtherMethods;
}
