/** Trained models as files that run without this program. */
import { type ExportOptions, type ExportReport, exportModel } from "./export-model.ts";
import { exportTransformersJs } from "./export-transformers-js.ts";
import { exportWebPage } from "./export-web-page.ts";

/** Every form in which a model can be exported, by the name that `--to` takes. */
export const exporters = {
  onnx: exportModel,
  "transformers.js": exportTransformersJs,
  web: exportWebPage,
} satisfies Readonly<Record<string, (model: string, out: string, options?: ExportOptions) => Promise<ExportReport>>>;
export type ExportTarget = keyof typeof exporters;
export const exportTargets = Object.keys(exporters) as readonly ExportTarget[];

export type { ExportOptions, ExportReport } from "./export-model.ts";
export { openExported } from "./open.ts";
export { exportModel };
