import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { encodeModel, type OnnxGraph } from "../tensor/index.ts";
import { InputError } from "../util/errors.ts";
import type { FileDescription } from "../web/index.ts";

/** The format of ONNX files ends here; larger models would need files beside it. */
const largestFile = 2 ** 31 - 1;

/** The bytes of a graph. */
export function onnxBytes(graph: OnnxGraph): Uint8Array {
  const bytes = graph.initializer.reduce((sum, { rawData }) => sum + rawData.length, 0);
  if (bytes > largestFile)
    throw new InputError(
      `export: an ONNX file holds at most 2 GB, and the weights have ${(bytes / 2 ** 30).toFixed(1)} GB; export with --int8, or train with a smaller encoder`,
    );
  return encodeModel(graph);
}

/** Writes files into a folder and returns the size and the hash of each. */
export async function writeFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<Record<string, FileDescription>> {
  const described: Record<string, FileDescription> = {};
  for (const [name, content] of Object.entries(files)) {
    const data = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), data);
    described[name] = { bytes: data.length, sha256: createHash("sha256").update(data).digest("hex") };
  }
  return described;
}
