import { describeOrdinary, withoutOrdinaryLabels } from "../evaluation/index.ts";
import {
  type EvaluationRecord,
  type RunOptions,
  type RunRecord,
  run,
  type Settings,
  type Stage,
  type TrainingData,
  typesOf,
} from "../training/index.ts";
import { InputError, unknownName } from "../util/errors.ts";
import { completeSettings, type Recipes } from "./complete.ts";
import { ensembleStages } from "./ensemble.ts";
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
  const { size } = complete.ensemble;
  if ((data.unlabelled?.length ?? 0) > 0 && !method.usesUnlabelled && size === 1) {
    const able = Object.values(recipes.methods).filter(({ usesUnlabelled }) => usesUnlabelled);
    throw new InputError(
      `method ${method.name}: makes nothing of --unlabelled (methods that do: ${able.map(({ name }) => name).join(", ")}; --ensemble does with any)`,
    );
  }
  if (method.make) return method.make(data, complete, options);
  refuseUnknownShifts(complete, data);
  return trainNamed(data, complete, options, recipes);
}

/** Trains with complete settings whose parts stand in these tables. */
function trainNamed(
  data: TrainingData,
  given: Settings,
  options: RunOptions,
  recipes: Recipes,
): AsyncGenerator<RunRecord, EvaluationRecord[]> {
  const method = recipes.methods[given.method]!;
  const settings = method.adapt?.(given, data) ?? given;
  const stages = (complete: Settings): readonly Stage[] => {
    const own = recipes.methods[complete.method]!;
    if (own.needsTargets) refuseNoTargets(`method ${own.name}`, complete, recipes);
    if (complete.ensemble.size === 1) return stagesOf(own, complete);
    refuseNoTargets("ensemble", complete, recipes);
    return ensembleStages(complete, (each) => stagesOf(own, each));
  };
  if (!method.run && settings.ordinary === "drop") return withoutOrdinary(data, stages(settings), options, recipes);
  if (!method.run) return run(data, stages(settings), options, recipes);
  return method.run(data, settings, options, {
    stages,
    complete: (given) => completeSettings(given, recipes),
    train: (...others) => trainNamed(...others, recipes),
  });
}

async function* withoutOrdinary(
  data: TrainingData,
  stages: readonly Stage[],
  options: RunOptions,
  recipes: Recipes,
): AsyncGenerator<RunRecord, EvaluationRecord[]> {
  const found = withoutOrdinaryLabels(data.train);
  if (found.count > 0) {
    const summary = `${describeOrdinary(found)}: they do not train`;
    yield { kind: "prepared", summary, facts: { ordinary: found.count }, files: [] };
  }
  return yield* run({ ...data, train: found.sentences }, stages, options, recipes);
}

/** A shift for a type that no label has is a slip, and would be noticed only when the first epoch is over. */
function refuseUnknownShifts({ decode: { shift } }: Settings, { train: sentences, types = [] }: TrainingData): void {
  if (typeof shift !== "object") return;
  const known = [...new Set([...typesOf(sentences), ...types])].sort();
  for (const name of Object.keys(shift))
    if (!known.includes(name)) throw new InputError(`decode.shift: unknown type ${unknownName(name, known)}`);
}

/** A head that does not learn from shares cannot be taught by models. */
function refuseNoTargets(who: string, { head }: Settings, { heads }: Recipes): void {
  if (heads[head.name]!.takesTargets) return;
  const able = Object.values(heads).filter(({ takesTargets }) => takesTargets);
  throw new InputError(
    `${who}: head "${head.name}" does not learn from soft targets (heads that do: ${able.map(({ name }) => name).join(", ")})`,
  );
}
