import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { InputError } from "../util/errors.ts";
import { isInterrupted } from "./stage.ts";

/** A run has a folder to itself: it never mixes its files with those of another, or of somebody else. */
export async function openFolder(directory: string, resume: boolean): Promise<void> {
  const names = await namesIn(directory);
  const refuse = (reason: string): never => {
    throw new InputError(reason, { file: directory });
  };
  if (isInterrupted(directory)) {
    if (!resume)
      refuse("the folder holds a run that was interrupted; go on with --resume, remove it or choose another");
    // A process that was killed could not take its temporary files away.
    for (const name of names.filter((each) => /^\..*\.tmp$/.test(each))) await rm(join(directory, name));
  } else if (names.includes("config.json")) {
    // Whether a finished run can go on, its last state says.
    if (!resume) refuse("the folder holds a model; choose another or remove it");
  } else if (names.some((name) => !name.startsWith(".")))
    refuse("the folder for the model is not empty; choose another");
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return [];
    if (code === "ENOTDIR") throw new InputError("expected a folder for the model, got a file", { file: directory });
    throw error;
  }
}
