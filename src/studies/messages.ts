import type { RunRecord } from "../training/index.ts";
import type { ExecutionOptions, Measured } from "./execute.ts";
import type { PlannedRun } from "./grid.ts";

/** What the process of a run is told: first what to do. */
export interface Orders {
  readonly run: PlannedRun;
  readonly options: Omit<ExecutionOptions, "signal">;
}

/** Asks a run to end early, with a checkpoint. */
export const stopOrder = "stop";

/** What is worth telling while a run goes on. */
export type StoryRecord = Exclude<RunRecord, { readonly kind: "step" }>;

export type Message =
  | { readonly kind: "record"; readonly record: StoryRecord }
  | { readonly kind: "measured"; readonly measured: Measured }
  | { readonly kind: "failed"; readonly reason: string };
