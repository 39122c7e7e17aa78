import { type PartKind, type PartSettings, partOf, partSettings } from "../util/parts.ts";
import { bnpu, bnpuSettings } from "./bnpu.ts";
import { confMpu, confMpuSettings } from "./conf-mpu.ts";
import { type ContrastiveSettings, withContrastive } from "./contrastive.ts";
import { crossEntropy, crossEntropySettings } from "./cross-entropy.ts";
import { generalisedCrossEntropy, generalisedSettings } from "./gce.ts";
import { nrces, nrcesSettings } from "./nrces.ts";
import type { Objective } from "./objective.ts";

/** An objective that settings can name. */
export interface ObjectiveKind extends PartKind {
  // biome-ignore lint/suspicious/noExplicitAny: each kind has settings of its own, checked by its schema
  make(settings: any): Objective;
}

/** Every objective by name. */
export const objectives = {
  "cross-entropy": {
    description: "minus the log-probability of what the annotation allows",
    settings: crossEntropySettings,
    make: crossEntropy,
  },
  nrces: {
    description: "cross-entropy whose share for negatives fades into a bounded loss",
    settings: nrcesSettings,
    make: nrces,
  },
  gce: {
    description: "a bounded loss for all items, which wrong labels move less",
    settings: generalisedSettings,
    make: generalisedCrossEntropy,
  },
  bnpu: {
    description: "a yes or no for each type, by positive and unlabelled tokens",
    settings: bnpuSettings,
    make: bnpu,
  },
  "conf-mpu": {
    description: "positive and unlabelled tokens of several types, weighted by the confidence of an earlier model",
    settings: confMpuSettings,
    make: confMpu,
  },
} satisfies Readonly<Record<string, ObjectiveKind>>;
export type ObjectiveSettings = PartSettings<typeof objectives>;
export const objectiveSettings = partSettings(objectives);

/** An objective, with the contrastive part beside it where that has a weight. */
export function makeObjective(
  given: ObjectiveSettings,
  contrastive?: ContrastiveSettings,
  table: Readonly<Record<string, ObjectiveKind>> = objectives,
): Objective {
  const { kind, settings } = partOf(table, given);
  const objective = kind.make(settings);
  return contrastive ? withContrastive(objective, contrastive) : objective;
}

export { binaryLosses, hingeLosses } from "./binary.ts";
export { type ContrastiveSettings, contrastive, contrastiveSettings, withContrastive } from "./contrastive.ts";
export {
  allowedLosses,
  crossEntropy,
  hasLabel,
  reduce,
  softened,
} from "./cross-entropy.ts";
export { type NrcesSettings, nrces } from "./nrces.ts";
export type { Objective, Reduction, Scored } from "./objective.ts";
