import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunRecord } from "../training/index.ts";
import { ChildFailure, workInChild } from "../util/child-process.ts";
import { makeFolder } from "../util/make-folder.ts";
import { inParallel } from "../util/parallel.ts";
import { packageVersion } from "../util/version.ts";
import type { ExecutionOptions, Measured } from "./execute.ts";
import type { PlannedRun } from "./grid.ts";
import { DataHasher, type DataHashes, keyOf } from "./identity.ts";
import { appendResult, type Result, readResults } from "./results.ts";

/** A run with its key on the data at hand, and its result if there is one. */
export interface RunState {
  readonly run: PlannedRun;
  readonly key: string;
  readonly hashes: DataHashes;
  readonly result?: Result | undefined;
  /** Begun and not finished. */
  readonly begun: boolean;
}

export interface StudyFolder {
  /** Where the results are. */
  readonly out: string;
  /** Where the data are. */
  readonly data: string;
}

/** Which runs have results, and which are under way. */
export async function stateOfRuns(runs: readonly PlannedRun[], { out, data }: StudyFolder): Promise<RunState[]> {
  const { byKey } = await readResults(resultsFile(out));
  const hasher = new DataHasher(data);
  const states: RunState[] = [];
  for (const run of runs) {
    const hashes = await hasher.hashes(run.files);
    const key = keyOf(run, hashes);
    states.push({ run, key, hashes, result: byKey.get(key), begun: existsSync(workFolder(out, key)) });
  }
  return states;
}

export function resultsFile(out: string): string {
  return join(out, "results.jsonl");
}

/** What the process of a run is told to do. */
export interface RunOrders {
  readonly run: PlannedRun;
  readonly options: Omit<ExecutionOptions, "signal">;
}

/** What is worth telling while a run goes on. */
export type ToldRecord = Exclude<RunRecord, { readonly kind: "step" }>;

export type StudyEvent =
  | { readonly kind: "begin"; readonly state: RunState }
  | { readonly kind: "record"; readonly state: RunState; readonly record: ToldRecord }
  | { readonly kind: "end"; readonly state: RunState; readonly result: Result }
  | { readonly kind: "failure"; readonly state: RunState; readonly reason: string };

/** Does a run somewhere and fails with a `ChildFailure` where the run does; `key` tells it from other runs. */
export type ExecuteElsewhere = (
  key: string,
  orders: RunOrders,
  options: { readonly signal: AbortSignal; readonly see: (record: ToldRecord) => void },
) => Promise<Measured>;

export interface RunStudyOptions extends StudyFolder {
  readonly study: string;
  /** Runs at a time. */
  readonly jobs: number;
  /** Threads of each run. */
  readonly threads: number;
  /** Keep the models. */
  readonly keep: boolean;
  readonly signal: AbortSignal;
  readonly see: (event: StudyEvent) => void;
  /** Who does the runs; processes on this machine unless given. */
  readonly execute?: ExecuteElsewhere | undefined;
}

const inProcess: ExecuteElsewhere = (_, orders, options) =>
  workInChild<ToldRecord, Measured>(workerScript(), orders, options);

/**
 * Does the runs that have no result yet and adds a line to the results for each that ends. A run that fails is told and
 * left; it goes on from its checkpoint the next time.
 */
export async function runStudy(states: readonly RunState[], options: RunStudyOptions): Promise<void> {
  const { study, out, data, jobs, threads, keep, signal, see, execute = inProcess } = options;
  const missing = new Map(states.filter(({ result }) => !result).map((state) => [state.key, state]));
  let writing = Promise.resolve();
  await inParallel([...missing.values()], jobs, async (state) => {
    see({ kind: "begin", state });
    const directory = workFolder(out, state.key);
    await makeFolder(directory);
    try {
      const orders: RunOrders = { run: state.run, options: { data, directory, threads } };
      const measured = await execute(state.key, orders, {
        signal,
        see: (record) => see({ kind: "record", state, record }),
      });
      const { place, settings, files, masking } = state.run;
      const made = { date: new Date().toISOString().slice(0, 10), version: packageVersion() };
      const result: Result = { study, place, settings, files, hashes: state.hashes, masking, ...made, ...measured };
      writing = writing.then(() => appendResult(resultsFile(out), result));
      await writing;
      if (!keep) await rm(directory, { recursive: true, force: true });
      see({ kind: "end", state, result });
    } catch (error) {
      if (!(error instanceof ChildFailure)) throw error;
      see({ kind: "failure", state, reason: error.message });
    }
  });
}

function workerScript(): URL {
  return new URL(`./worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
}

function workFolder(out: string, key: string): string {
  return join(out, "runs", key);
}
