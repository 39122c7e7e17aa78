import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { completeSettings, train } from "../../src/methods/index.ts";
import type { RunRecord, SettingsInput, TrainingData } from "../../src/training/index.ts";

export interface StopOptions {
  readonly resume?: boolean;
  /** So many records but steps; then the run is interrupted. */
  readonly stopAfter?: number;
}

/** Trains into a directory; returns the records but those of steps. */
export async function trainUntil(
  data: TrainingData,
  given: SettingsInput,
  directory: string,
  { resume = false, stopAfter = Number.POSITIVE_INFINITY }: StopOptions = {},
): Promise<RunRecord[]> {
  const stop = new AbortController();
  const records: RunRecord[] = [];
  try {
    const options = { directory, resume, signal: stop.signal };
    for await (const record of train(data, completeSettings(given), options)) {
      if (record.kind !== "step") records.push(record);
      if (records.length > stopAfter) stop.abort(new Error("stopped"));
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
  }
  return records;
}

/** The files in which two directories differ. */
export async function differing(one: string, other: string, files: readonly string[]): Promise<string[]> {
  const read = (directory: string, file: string): Promise<Buffer> => readFile(join(directory, file));
  const different = await Promise.all(
    files.map(async (file) => !(await read(one, file)).equals(await read(other, file))),
  );
  return files.filter((_, i) => different[i]);
}

export const stagesIn = (records: readonly RunRecord[]): string[] =>
  records.flatMap((record) => (record.kind === "stage" ? [record.name] : []));
