import { z } from "zod";
import { crossEntropy, crossEntropySettings } from "./cross-entropy.ts";
import type { Objective } from "./objective.ts";

/** The settings of every objective: `name` tells which. */
export const objectiveSettings = z.discriminatedUnion("name", [crossEntropySettings]);
export type ObjectiveSettings = z.output<typeof objectiveSettings>;

/** Every objective by name. */
export const objectives: {
  readonly [K in ObjectiveSettings["name"]]: (settings: Extract<ObjectiveSettings, { name: K }>) => Objective;
} = { "cross-entropy": crossEntropy };

export function makeObjective(settings: ObjectiveSettings): Objective {
  return objectives[settings.name](settings as never);
}

export { crossEntropy, negativeLogLikelihood, type Reduction, reduce } from "./cross-entropy.ts";
export type { Objective, Scored } from "./objective.ts";
