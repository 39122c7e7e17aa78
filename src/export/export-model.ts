import { join } from "node:path";
import { type LoadedModel, type LoadOptions, loadModel } from "../inference/index.ts";
import { refuseUsed, writeFolder } from "../util/output-folder.ts";
import type { Description, ExportedRecogniser } from "../web/index.ts";
import { openExported } from "./open.ts";
import { modelFile, portableModel } from "./portable-model.ts";
import { quantised } from "./quantise.ts";
import { largestDifference } from "./verify.ts";
import { onnxBytes, writeFiles } from "./write.ts";

export interface ExportOptions extends LoadOptions {
  readonly int8?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the exported model before it is in its place; what it throws leaves nothing written. */
  readonly check?: ((exported: ExportedRecogniser) => Promise<void>) | undefined;
}

export interface ExportReport {
  readonly precision: Description["precision"];
  /** Bytes of the ONNX file. */
  readonly bytes: number;
  readonly files: readonly string[];
  /** The largest difference between a probability of the model and of the exported one, on a few sentences. */
  readonly difference: number;
}

/** Floats are added in another order; more than this is an error of ours. */
const tolerance = 1e-3;

/** Writes a model directory as one ONNX file with a description beside it. */
export async function exportModel(
  directory: string,
  out: string,
  { int8 = false, signal, check, ...options }: ExportOptions = {},
): Promise<ExportReport> {
  await refuseUsed(out);
  const loaded = await loadModel(directory, options);
  let report: ExportReport | undefined;
  await writeFolder(out, async (folder) => {
    report = await writeChecked(folder, loaded, { int8, signal, check });
  });
  return report!;
}

/** Writes an exported model into a folder, with the checks that are asked for. */
export async function writeChecked(
  folder: string,
  loaded: LoadedModel,
  { int8 = false, signal, check }: Pick<ExportOptions, "int8" | "signal" | "check">,
): Promise<ExportReport> {
  try {
    const report = await writeExport(folder, loaded, int8);
    signal?.throwIfAborted();
    if (!check) return report;
    const exported = await openExported(folder);
    await check(exported).finally(() => exported.dispose());
    signal?.throwIfAborted();
    return report;
  } finally {
    await loaded.model.encoder.dispose?.();
  }
}

/** Writes the files of a model and checks that they say what the model says. */
async function writeExport(folder: string, loaded: LoadedModel, int8: boolean): Promise<ExportReport> {
  const { graph, description, files } = await portableModel(loaded);
  const precision = int8 ? "int8" : "float32";
  const model = onnxBytes(int8 ? quantised(graph) : graph);
  const described = await writeFiles(folder, { [modelFile]: model, ...files });
  const whole: Description = { ...description, precision, files: described };
  await writeFiles(folder, { "lacuna.json": `${JSON.stringify(whole, null, 2)}\n` });
  const exported = await openExported(folder);
  const difference = await largestDifference(loaded, exported).finally(() => exported.dispose());
  if (!int8 && !(difference <= tolerance))
    throw new Error(`export: the exported model differs from ${join(folder, modelFile)} by ${difference}`);
  return { precision, bytes: model.length, files: ["lacuna.json", modelFile, ...Object.keys(files)], difference };
}
