import type { Target } from "../target.ts";
import { documentTargets } from "./documents.ts";
import { encoderTargets } from "./encoders.ts";
import { exportedTargets } from "./exported.ts";
import { folderTargets, formatTargets } from "./formats.ts";
import { lexiconTargets } from "./lexicon.ts";
import { modelTargets } from "./models.ts";
import { reviewTargets } from "./review.ts";
import { serveTargets } from "./serve.ts";
import { studyTargets } from "./studies.ts";
import { trainingTargets } from "./training.ts";
import { weightTargets } from "./weights.ts";

/** Everything that takes bytes from outside. */
export const targets: readonly Target[] = [
  ...formatTargets,
  ...folderTargets,
  ...documentTargets,
  ...lexiconTargets,
  ...weightTargets,
  ...encoderTargets,
  ...modelTargets,
  ...exportedTargets,
  ...serveTargets,
  ...trainingTargets,
  ...studyTargets,
  ...reviewTargets,
];

export function targetNames(): string[] {
  return targets.map(({ name }) => name);
}

export function targetNamed(name: string): Target {
  const found = targets.find((target) => target.name === name);
  if (found === undefined) throw new RangeError(`no target ${name}`);
  return found;
}
