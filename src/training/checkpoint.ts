import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { weightsOf } from "../models/directory.ts";
import { InputError } from "../util/errors.ts";
import { type NumberArray, SafetensorsFile, writeSafetensors } from "../util/safetensors.ts";
import type { Progress } from "./loop.ts";
import type { Session } from "./session.ts";

const fileName = "state.safetensors";

/** Makes the folder of checkpoints. It is there as long as a run is not finished, also before the first checkpoint. */
export async function openCheckpoint(directory: string): Promise<void> {
  await mkdir(folderOf(directory), { recursive: true });
}

/**
 * Everything that changes during training, in one file, so that it is either the old state or the new one: parameters,
 * tables, the optimiser's moments, and how far the run is. A resumed run goes on to the same bits.
 */
export async function saveCheckpoint(directory: string, session: Session, progress: Progress): Promise<void> {
  const metadata = {
    progress: JSON.stringify(progress),
    updates: String(session.learner.updates),
    fingerprint: session.fingerprint,
  };
  await writeSafetensors(join(folderOf(directory), fileName), arraysOf(session), { metadata });
}

/** Puts a session back to where its checkpoint was written; `undefined` when there is none yet. */
export function restoreCheckpoint(directory: string, session: Session): Progress | undefined {
  const path = join(folderOf(directory), fileName);
  if (!existsSync(path)) return undefined;
  const file = SafetensorsFile.open(path);
  try {
    if (file.metadata.fingerprint !== session.fingerprint) {
      throw new InputError(
        "the checkpoint belongs to a run with other settings or other data; train into another folder or remove it",
        {
          file: path,
        },
      );
    }
    for (const [name, { data }] of Object.entries(arraysOf(session))) data.set(file.read(name));
    session.learner.updates = Number(file.metadata.updates);
    return JSON.parse(file.metadata.progress!) as Progress;
  } finally {
    file.close();
  }
}

export async function removeCheckpoint(directory: string): Promise<void> {
  await rm(folderOf(directory), { recursive: true, force: true });
}

function folderOf(directory: string): string {
  return join(directory, "checkpoint");
}

/** The moments of a parameter or table have its name behind this prefix. */
function arraysOf({ model, learner }: Session): Record<string, NumberArray> {
  const result = weightsOf(learner.store, model.encoder.tables);
  learner.moments.forEach((moments, i) => {
    Object.assign(result, moments.tensors(`moment ${i} of `));
  });
  for (const { table, moments } of learner.tables) {
    moments.forEach((data, i) => {
      result[`moment ${i} of ${table.name}`] = { data, shape: [data.length / table.width, table.width] };
    });
  }
  return result;
}
