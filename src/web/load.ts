import { InputError } from "../util/errors.ts";
import { checkedFile } from "./checked-file.ts";
import { parseDescription } from "./description.ts";
import { ExportedRecogniser } from "./recogniser.ts";
import type { OnnxRuntime } from "./runtime.ts";

/** How much of a model has been loaded. */
export interface LoadProgress {
  readonly file: string;
  readonly loaded: number;
  readonly total: number;
}

export interface LoadOptions {
  /** ONNX Runtime: `import * as ort from "onnxruntime-web/wasm"`. */
  readonly ort: OnnxRuntime;
  /** Options of the session, such as `executionProviders`. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** In place of the browser's own. */
  readonly fetch?: (url: string) => Promise<Response>;
  readonly onProgress?: (progress: LoadProgress) => void;
}

/** Opens an exported model from a folder of a web server: the address of the folder that holds `lacuna.json`. */
export async function loadRecogniser(
  folder: string | URL,
  { ort, session, fetch = (url) => globalThis.fetch(url), onProgress = () => {} }: LoadOptions,
): Promise<ExportedRecogniser> {
  const base = String(folder).replace(/\/?$/, "/");
  const get = async (name: string): Promise<Response> => {
    const response = await fetch(base + name);
    if (!response.ok) throw new InputError(`cannot be loaded: status ${response.status}`, { file: base + name });
    return response;
  };
  const description = parseDescription(await (await get("lacuna.json")).text(), `${base}lacuna.json`);
  const bytes = new Map<string, Uint8Array>();
  for (const file of Object.keys(description.files)) {
    const report = (loaded: number): void => onProgress({ file, loaded, total: description.files[file]!.bytes });
    bytes.set(file, await checkedFile(await readAll(await get(file), report), description, file, base + file));
  }
  const texts = [...bytes].filter(([file]) => file !== description.model);
  const files = Object.fromEntries(texts.map(([file, data]) => [file, new TextDecoder().decode(data)]));
  return ExportedRecogniser.open(ort, description, bytes.get(description.model)!, files, session);
}

async function readAll(response: Response, report: (loaded: number) => void): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let loaded = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part && !part.done; part = await reader!.read()) {
    parts.push(part.value);
    loaded += part.value.length;
    report(loaded);
  }
  const all = new Uint8Array(loaded);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
