import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onnxRuntime, type RuntimeOptions } from "../tensor/index.ts";
import { fileIn, readTextFile } from "../util/regular-file.ts";
import { ExportedRecogniser, type OnnxRuntime, parseDescription } from "../web/index.ts";

/** Opens an exported model from a folder, with the ONNX Runtime of Node. */
export async function openExported(
  folder: string,
  { threads }: Pick<RuntimeOptions, "threads"> = {},
): Promise<ExportedRecogniser> {
  const file = join(folder, "lacuna.json");
  const description = parseDescription(await readTextFile(file), file);
  const files: Record<string, string> = {};
  for (const name of Object.keys(description.files)) {
    if (name !== description.model) files[name] = await readTextFile(await fileIn(folder, name));
  }
  const model = await readFile(await fileIn(folder, description.model));
  const options = { logSeverityLevel: 3, ...(threads !== undefined && { intraOpNumThreads: threads }) };
  return ExportedRecogniser.open(onnxRuntime() as unknown as OnnxRuntime, description, model, files, options);
}
