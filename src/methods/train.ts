import {
  type EvaluationRecord,
  type RunOptions,
  type RunRecord,
  run,
  type Settings,
  type TrainingData,
} from "../training/index.ts";
import { InputError } from "../util/errors.ts";
import { completeSettings } from "./complete.ts";
import { stagesOf } from "./method.ts";
import { nameOwnParts } from "./own-parts.ts";
import type { TrainSettings } from "./train-settings.ts";

/** Complete settings for parts that name themselves: what `crossFit` and studies take. */
export function settingsOf(given: TrainSettings): Settings {
  return completeSettings({ ...given });
}

/**
 * Trains a model into a directory. Yields what happens on the way: steps, evaluations, stages; ends with the evaluations
 * of the stage that made the model. An interrupted training goes on with `resume` to the same weights.
 */
export function train(
  data: TrainingData,
  given: TrainSettings | Settings,
  options: RunOptions,
): AsyncGenerator<RunRecord, EvaluationRecord[]> {
  const { settings, recipes } = nameOwnParts({ ...given });
  const complete = completeSettings(settings, recipes);
  const method = recipes.methods[complete.method]!;
  if ((data.unlabelled?.length ?? 0) > 0 && !method.usesUnlabelled) {
    const able = Object.values(recipes.methods).filter(({ usesUnlabelled }) => usesUnlabelled);
    throw new InputError(
      `method ${method.name}: makes nothing of --unlabelled (methods that do: ${able.map(({ name }) => name).join(", ")})`,
    );
  }
  if (method.make) return method.make(data, complete, options);
  const adapted = method.adapt?.(complete, data) ?? complete;
  return run(data, stagesOf(method, adapted), options, recipes);
}
