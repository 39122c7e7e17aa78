import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Encoder, Table } from "../encoders/index.ts";
import { weightsOf } from "../inference/index.ts";
import { InputError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { makeFolder } from "../util/make-folder.ts";
import { type NumberArray, SafetensorsFile, writeSafetensors } from "../util/safetensors.ts";
import { describeDifference, type Fingerprint, parseFingerprint } from "./fingerprint.ts";
import type { Learner } from "./learner.ts";
import { isRecord } from "./merge.ts";
import { type Progress, parseProgress } from "./progress.ts";
import type { Session } from "./session.ts";

const fileName = "state.safetensors";

/** Makes the folder of checkpoints. It is there as long as a run is not finished, also before the first checkpoint. */
export async function openCheckpoint(directory: string): Promise<void> {
  await makeFolder(folderOf(directory));
}

/**
 * Everything that changes during training, in one file, so that it is either the old state or the new one: parameters,
 * trained tables, the optimiser's moments, and how far the training is. Of fixed tables, which may be far larger, it has
 * the hashes. A resumed run goes on to the same bits.
 */
export async function saveCheckpoint(
  directory: string,
  { learner, task }: Session,
  progress: Progress,
  fingerprint: Fingerprint,
): Promise<void> {
  const metadata = {
    progress: JSON.stringify(progress),
    updates: String(learner.updates),
    fingerprint: JSON.stringify(fingerprint),
    fixed: JSON.stringify(
      Object.fromEntries(fixedTables(task.model.encoder).map((table) => [table.name, hashOf(table)])),
    ),
  };
  const arrays = arraysOf(learner, task.model.encoder);
  await writeSafetensors(join(folderOf(directory), fileName), arrays, { metadata });
}

/** A checkpoint: how far its training is, and its numbers. */
export interface Checkpoint {
  readonly progress: Progress;
  /** What it was written by. */
  readonly before: Fingerprint;
  /** Puts a session back to where the checkpoint was written. */
  restore(session: Session): void;
}

/** The checkpoint of a training with this fingerprint, or the last state of one that is made longer; `undefined` when there is none yet. */
export function readCheckpoint(directory: string, fingerprint: Fingerprint): Checkpoint | undefined {
  const path = [join(folderOf(directory), fileName), stateFile(directory)].find(existsSync);
  if (path === undefined) return undefined;
  const checkpoint = readState(path);
  const difference = describeDifference(checkpoint.before, fingerprint);
  if (difference !== undefined) {
    throw new InputError(
      `the checkpoint belongs to a run with other settings or other data: ${difference}; train into another folder or remove it`,
      { file: path },
    );
  }
  return checkpoint;
}

export function readState(path: string): Checkpoint {
  const metadata = read(path, (file) => file.metadata);
  const before = parseFingerprint(metadata.fingerprint, path);
  const updates = /^\d{1,15}$/.test(metadata.updates ?? "") ? Number(metadata.updates) : damaged(path, "updates");
  return {
    progress: parseProgress(metadata.progress, path),
    before,
    restore: ({ learner, task }) =>
      read(path, (file) => {
        for (const [name, { data, shape }] of Object.entries(arraysOf(learner, task.model.encoder))) {
          if (file.shape(name).join() !== shape.join()) damaged(path, `tensor "${name}" has another shape`);
          data.set(file.read(name));
        }
        for (const table of fixedTables(task.model.encoder)) restoreFixed(table, file);
        learner.updates = updates;
      }),
  };
}

/** Fixed tables are made when the encoder is opened; older checkpoints hold them as well. */
function restoreFixed(table: Table, file: SafetensorsFile): void {
  const { name, values } = table;
  if (file.names.includes(name)) {
    const stored = file.read(name);
    if (stored.length !== values.length) damaged(file.path, `tensor "${name}" has another shape`);
    values.set(stored);
    return;
  }
  const hashes = parseJson(file.metadata.fixed ?? "{}", "a checkpoint", { file: file.path });
  if (!isRecord(hashes) || hashes[name] !== hashOf(table))
    throw new InputError(
      `the fixed vectors "${name}" are not those with which the run began: their file has changed; train into another folder`,
      { file: file.path },
    );
}

const hashes = new WeakMap<Table, string>();

/** The SHA-256 of a fixed table, computed once. */
function hashOf(table: Table): string {
  const known = hashes.get(table) ?? createHash("sha256").update(table.values).digest("hex");
  hashes.set(table, known);
  return known;
}

function fixedTables({ tables }: Encoder): Table[] {
  return tables.filter(({ trainable }) => !trainable);
}

function damaged(file: string, what: string): never {
  throw new InputError(`the checkpoint is damaged: ${what}; remove the folder and train again`, { file });
}

function read<T>(path: string, use: (file: SafetensorsFile) => T): T {
  const file = SafetensorsFile.open(path);
  try {
    return use(file);
  } finally {
    file.close();
  }
}

export async function removeCheckpoint(directory: string): Promise<void> {
  await rm(folderOf(directory), { recursive: true, force: true });
}

/** Keeps the last checkpoint of a finished run beside its model, so that the run can be made longer. */
export async function keepState(directory: string): Promise<void> {
  const last = join(folderOf(directory), fileName);
  if (existsSync(last)) await rename(last, stateFile(directory));
}

/** Where a finished run keeps its last state. */
export function stateFile(directory: string): string {
  return join(directory, fileName);
}

function folderOf(directory: string): string {
  return join(directory, "checkpoint");
}

/** The moments of a parameter or table have its name behind this prefix. */
function arraysOf(learner: Learner, { tables }: Encoder): Record<string, NumberArray> {
  const trained = tables.filter(({ trainable }) => trainable);
  const result = weightsOf(learner.store, trained);
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
