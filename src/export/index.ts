/** Trained models as files that run without this program. */
export {
  type ExportOptions,
  type ExportReport,
  type ExportTarget,
  exportModel,
  exportTargets,
} from "./export-model.ts";
export { openExported } from "./open.ts";
