import { existsSync } from "node:fs";
import { copyFile, readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadModel } from "../inference/index.ts";
import { InputError } from "../util/errors.ts";
import { refuseUsed, writeFolder } from "../util/output-folder.ts";
import { type ExportOptions, type ExportReport, writeChecked } from "./export-model.ts";

/** Files of `onnxruntime-web` that the page loads. */
const runtimeFiles = ["ort.wasm.min.mjs", "ort-wasm-simd-threaded.mjs", "ort-wasm-simd-threaded.wasm"] as const;

/** Writes a page that finds entities in the browser: the page, the runtime and, below `model/`, the exported model. */
export async function exportWebPage(
  directory: string,
  out: string,
  { int8 = false, signal, check, ...options }: ExportOptions = {},
): Promise<ExportReport> {
  await refuseUsed(out);
  const page = pageFolder();
  const runtime = runtimeFolder();
  const loaded = await loadModel(directory, options);
  let report: ExportReport | undefined;
  await writeFolder(out, async (folder) => {
    const names = [
      ...(await readdir(page)).map((name) => join(page, name)),
      ...runtimeFiles.map((name) => join(runtime, name)),
    ];
    const written = await writeChecked(join(folder, "model"), loaded, { int8, signal, check });
    for (const file of names) await copyFile(file, join(folder, file.slice(dirname(file).length + 1)));
    signal?.throwIfAborted();
    const files = [
      ...names.map((file) => file.slice(dirname(file).length + 1)),
      ...written.files.map((file) => `model/${file}`),
    ];
    report = { ...written, files };
  });
  return report!;
}

/** Where the build puts the page: in `dist/`, beside the compiled program. */
function pageFolder(): string {
  const folder = fileURLToPath(new URL("../pages/tagger", import.meta.url));
  const built = existsSync(folder) ? folder : fileURLToPath(new URL("../../dist/pages/tagger", import.meta.url));
  if (!existsSync(built)) throw new InputError("--to web: the page is not built; run npm run build", { file: built });
  return built;
}

function runtimeFolder(): string {
  for (const origin of [join(process.cwd(), "package.json"), import.meta.url]) {
    try {
      return dirname(createRequire(origin).resolve("onnxruntime-web/ort-wasm-simd-threaded.wasm"));
    } catch {
      // The next place may have it.
    }
  }
  throw new InputError(
    "--to web: the page needs the files of onnxruntime-web, which is not installed here; run: npm install --no-save onnxruntime-web@1.30.0",
  );
}
