import { z } from "zod";
import { type ContrastiveSettings, withContrastive } from "./contrastive.ts";
import { crossEntropy, crossEntropySettings } from "./cross-entropy.ts";
import { nrces, nrcesSettings } from "./nrces.ts";
import type { Objective } from "./objective.ts";

/** The settings of every objective: `name` tells which. */
export const objectiveSettings = z.discriminatedUnion("name", [crossEntropySettings, nrcesSettings]);
export type ObjectiveSettings = z.output<typeof objectiveSettings>;

/** Every objective by name. */
export const objectives: {
  readonly [K in ObjectiveSettings["name"]]: (settings: Extract<ObjectiveSettings, { name: K }>) => Objective;
} = { "cross-entropy": crossEntropy, nrces };

/** An objective, with the contrastive part beside it where that has a weight. */
export function makeObjective(settings: ObjectiveSettings, contrastive?: ContrastiveSettings): Objective {
  const objective = objectives[settings.name](settings as never);
  return contrastive ? withContrastive(objective, contrastive) : objective;
}

export {
  type ContrastiveSettings,
  contrastive,
  contrastiveSettings,
  withContrastive,
} from "./contrastive.ts";
export { crossEntropy, negativeLogLikelihood, type Reduction, reduce } from "./cross-entropy.ts";
export { type NrcesSettings, nrces } from "./nrces.ts";
export type { Objective, Scored } from "./objective.ts";
