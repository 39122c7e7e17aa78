import { join } from "node:path";
import { onnxRuntime, type RuntimeOptions } from "../tensor/index.ts";
import { fileIn, readFileBytes, readTextFile } from "../util/regular-file.ts";
import { checkedFile, ExportedRecogniser, type OnnxRuntime, parseDescription } from "../web/index.ts";

/** Opens an exported model from a folder, with the ONNX Runtime of Node. */
export async function openExported(
  folder: string,
  { threads }: Pick<RuntimeOptions, "threads"> = {},
): Promise<ExportedRecogniser> {
  const file = join(folder, "lacuna.json");
  const description = parseDescription(await readTextFile(file), file);
  const read = async (name: string): Promise<Buffer> => {
    const path = await fileIn(folder, name);
    return checkedFile(await readFileBytes(path), description, name, path);
  };
  const files: Record<string, string> = {};
  for (const name of Object.keys(description.files)) {
    if (name !== description.model) files[name] = new TextDecoder().decode(await read(name));
  }
  const options = { logSeverityLevel: 3, ...(threads !== undefined && { intraOpNumThreads: threads }) };
  const model = await read(description.model);
  return ExportedRecogniser.open(onnxRuntime() as unknown as OnnxRuntime, description, model, files, options);
}
