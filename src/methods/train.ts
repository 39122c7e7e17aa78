import {
  type EvaluationRecord,
  type RunOptions,
  type RunRecord,
  run,
  type Settings,
  type TrainingData,
} from "../training/index.ts";
import { builtInRecipes, type Recipes } from "./complete.ts";
import { stagesOf } from "./method.ts";

export interface TrainOptions extends RunOptions {
  /** The parts and methods that the settings name; those of the package when not given. */
  readonly recipes?: Recipes | undefined;
}

/** Trains a model into a directory by the method that complete settings name. Yields what happens on the way. */
export function train(
  data: TrainingData,
  settings: Settings,
  { recipes = builtInRecipes, ...options }: TrainOptions,
): AsyncGenerator<RunRecord, EvaluationRecord[]> {
  return run(data, stagesOf(recipes.methods[settings.method]!, settings), options, recipes);
}
