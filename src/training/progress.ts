import { z } from "zod";
import type { Report } from "../evaluation/index.ts";
import type { Shift } from "../inference/index.ts";
import { InputError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { type Annealing, fullRate } from "./annealing.ts";
import type { Settings } from "./settings.ts";

/** How far a loop is: with the arrays of the learner, all that a restart needs. */
export interface Progress {
  /** Completed epochs. */
  epoch: number;
  /** Batches done in the epoch that is under way. */
  batch: number;
  /** Sums over the part of the epoch since the last evaluation. */
  tally: Tally;
  best: { readonly f1: number; readonly epoch: number } | null;
  /** Evaluations since the best one. */
  stale: number;
  annealing: Annealing;
  finished: boolean;
  /** Every evaluation so far. */
  history: EvaluationRecord[];
}

export interface Tally {
  loss: number;
  batches: number;
  negatives: number;
  missampled: number;
}

/** An evaluation on dev: at the end of each epoch, or more often. */
export interface EvaluationRecord {
  readonly kind: "evaluation";
  /** The model was made, not trained. */
  readonly untrained?: boolean;
  /** The stage of the run, where it is not the last one. */
  readonly stage?: string;
  /** Epochs done, with a fraction when within one. */
  readonly epoch: number;
  /** Mean loss since the last evaluation. */
  readonly loss: number;
  readonly dev: Report | null;
  /** What is added to the score of O, where it was chosen here. */
  readonly shift?: Shift;
  /** F1 on dev without it. */
  readonly unshifted?: number;
  readonly improved: boolean;
  /** Unknown spans (or tokens) that served as negatives since the last evaluation. */
  readonly negatives: number;
  /** Share of them that were hidden entities, when these are known. */
  readonly missampling?: number;
}

export function startOfRun(): Progress {
  return {
    epoch: 0,
    batch: 0,
    tally: emptyTally(),
    best: null,
    stale: 0,
    annealing: fullRate,
    finished: false,
    history: [],
  };
}

export function emptyTally(): Tally {
  return { loss: 0, batches: 0, negatives: 0, missampled: 0 };
}

/** Whether a run is at its end: no epochs are left, dev has not got better for long, or learning rates are too small. */
export function isOver({ epoch, stale, annealing }: Progress, settings: Settings): boolean {
  return (
    epoch >= settings.epochs ||
    (settings.patience > 0 && stale >= settings.patience) ||
    annealing.scale < settings.annealing.least
  );
}

const count = z.number().min(0);
const tally = z.object({ loss: z.number(), batches: count, negatives: count, missampled: count });
const schema = z.object({
  epoch: z.int().min(0),
  batch: z.int().min(0),
  tally,
  best: z.object({ f1: z.number(), epoch: z.number() }).nullable(),
  stale: z.int().min(0),
  annealing: z.object({ scale: z.number().gt(0).max(1), stale: z.int().min(0) }),
  finished: z.boolean(),
  history: z.array(z.looseObject({ kind: z.literal("evaluation"), epoch: z.number(), improved: z.boolean() })),
});

/** What a checkpoint says of how far it is. */
export function parseProgress(text: string | undefined, file: string): Progress {
  const value = text === undefined ? undefined : parseJson(text, "a checkpoint", { file });
  // As it was written: a resumed run writes the same bytes as one that was never stopped.
  if (schema.safeParse(value).success) return value as Progress;
  throw new InputError("not a checkpoint of this version; train into another folder or remove it", { file });
}
