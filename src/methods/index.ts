export { trialRows } from "./auto/report.ts";
export { completeSettings, type Recipes } from "./complete.ts";
export { type Method, stagesOf } from "./method.ts";
export { type MethodName, methods } from "./table.ts";
export { settingsOf, train } from "./train.ts";
export type { TrainSettings } from "./train-settings.ts";
export {
  ascending,
  type OutsideValues,
  outsideValues,
  removedCount,
  type ValueKind,
} from "./two-step/index.ts";
