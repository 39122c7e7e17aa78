import { keyOf } from "../util/random.ts";
import { type EvaluationRecord, type Progress, startOfRun } from "./loop.ts";
import type { RemovedToken } from "./removed-tokens.ts";
import type { Settings } from "./settings.ts";

/** A part of a run, with a model of its own from the first weights on. Only the last part's model is kept. */
export interface Stage {
  readonly name: "explore" | "train";
  readonly settings: Settings;
  /** The share of unknown tokens, those least like O, that the next stages do without. */
  readonly remove: number;
}

/** The stages of a run: the training itself, and where it is asked for a short one before it, with other randomness. */
export function stagesOf(settings: Settings): Stage[] {
  const training: Stage = { name: "train", settings, remove: 0 };
  const { epochs, remove } = settings.explore;
  if (epochs === 0 || remove === 0) return [training];
  const short = { epochs, patience: 0, evaluations: 1, seed: keyOf(settings.seed, "explore") };
  return [{ name: "explore", settings: { ...settings, ...short }, remove }, training];
}

/** How far a run is: with the arrays of the learner, all that a restart needs. */
export interface RunState {
  /** Number of the stage that is under way. */
  stage: number;
  progress: Progress;
  /** What the stages before took out of training. */
  removed: readonly RemovedToken[];
  /** Evaluations of the stages before. */
  before: readonly EvaluationRecord[];
}

export function startOfStages(): RunState {
  return { stage: 0, progress: startOfRun(), removed: [], before: [] };
}
