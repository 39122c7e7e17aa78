import { existsSync } from "node:fs";
import { InputError } from "../util/errors.ts";
import { readState, stateFile } from "./checkpoint.ts";
import { describeDifference, type Fingerprint } from "./fingerprint.ts";
import { isOver } from "./progress.ts";
import type { Settings } from "./settings.ts";

/**
 * Refuses to go on with a finished run unless it is made longer: it kept its last state, nothing else differs, and there
 * are epochs left to train. Returns the epochs that it had, where it has more now.
 */
export function assertExtends(directory: string, fingerprint: Fingerprint, settings: Settings): number | undefined {
  const refuse = (reason: string): never => {
    throw new InputError(reason, { file: directory });
  };
  if (!existsSync(stateFile(directory)))
    refuse(
      "the run is finished, there is nothing to resume, and it kept no state from which more --epochs could go on",
    );
  const { progress, before } = readState(stateFile(directory));
  // What earlier stages find is not known yet; it is compared when it is.
  const difference = describeDifference(before, { ...fingerprint, adjustments: before.adjustments });
  if (difference !== undefined)
    refuse(`the run is finished, and this one has other settings or other data: ${difference}; choose another folder`);
  if (isOver(progress, settings)) {
    const stale = settings.patience > 0 && progress.stale >= settings.patience;
    refuse(
      `the run is finished, there is nothing to resume; ${stale ? "a larger patience goes on (--set patience=0: to the last epoch)" : "more --epochs make it longer"}`,
    );
  }
  const epochs = Number(before.settings.epochs);
  return epochs < settings.epochs ? epochs : undefined;
}

/** The settings through which a run depends on how many epochs it has in all: made longer, it is not the run that was longer from the start. */
export function dependsOnLength({ schedule, warmup, sampler }: Settings): string[] {
  return [
    ...(schedule === "linear" ? ["schedule=linear"] : []),
    ...(warmup > 0 ? [`warmup=${warmup}`] : []),
    ...(sampler.name === "weighted" ? ["sampler=weighted"] : []),
  ];
}
