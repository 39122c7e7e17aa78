export { alone } from "../util/lock.ts";
export { unpackCounts } from "./counts.ts";
export { checked } from "./described-file.ts";
export { executeRun } from "./execute-run.ts";
export type { FigurePlan } from "./figure-schema.ts";
export {
  type GapStudy,
  type GapStudyData,
  gapStudy,
  type ShiftedResult,
  type SystemName,
  type SystemResult,
} from "./gap-study.ts";
export { nameOf, type PlannedRun } from "./grid.ts";
export {
  combinations,
  labelsOn,
  type MeasuredRun,
  type MeasuredStudy,
  matches,
  measuredRuns,
  type Summary,
  summarise,
  titleOfLabel,
  titleOfMeasure,
  valueFor,
} from "./measured.ts";
export { openStudy, selectionCheck } from "./open-study.ts";
export type { ProbableGap } from "./probable-gaps.ts";
export { type Result, readResults } from "./results.ts";
export {
  type ExecuteElsewhere,
  type RunOrders,
  type RunState,
  type RunStudyOptions,
  resultsFile,
  runStudy,
  type StudyEvent,
  type StudyFolder,
  stateOfRuns,
} from "./run-study.ts";
export { chosenRuns, findStudy } from "./select.ts";
export type { Study } from "./study.ts";
export { type Measure, selection, type Table } from "./table-schema.ts";
