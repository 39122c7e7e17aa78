import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { completeSettings, train } from "../../src/methods/index.ts";
import type { RunRecord, SettingsInput, TrainingData } from "../../src/training/index.ts";

/** Trains into a folder, stopped after so many records other than steps. */
export async function trainInto(
  directory: string,
  data: TrainingData,
  given: SettingsInput,
  { resume = false, stopAfter = Number.POSITIVE_INFINITY } = {},
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

/** Asserts that files of two folders are the same, byte for byte. */
export async function expectSameFiles(one: string, other: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const [a, b] = await Promise.all([one, other].map((folder) => readFile(join(folder, name))));
    expect(b!.equals(a!), name).toBe(true);
  }
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
