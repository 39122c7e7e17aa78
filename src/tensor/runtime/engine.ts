import { createRequire } from "node:module";
import type * as ort from "onnxruntime-node";
import { InputError, messageOf } from "../../util/errors.ts";
// Switches the runtime's telemetry off, which must be done before the runtime is loaded.
import { assertNoTelemetry } from "./telemetry.ts";

let loaded: typeof ort | undefined;

/** ONNX Runtime, loaded when something is first computed: commands that only read and write files do without it. */
export function engine(): typeof ort {
  if (loaded !== undefined) return loaded;
  assertNoTelemetry();
  loaded = load(createRequire(import.meta.url));
  return loaded;
}

/** What to type where the runtime is missing or broken; its files for GPUs, which nothing here needs, are left out. */
const remedy = "npm install --ignore-scripts onnxruntime-node@1.30.0";

/** Loads the runtime by a `require` function; in its place, tests put one that fails. */
export function load(require: (name: string) => unknown): typeof ort {
  try {
    return require("onnxruntime-node") as typeof ort;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason = code === "MODULE_NOT_FOUND" ? "is not installed" : `cannot be loaded (${messageOf(error)})`;
    throw new InputError(
      `the engine onnxruntime-node ${reason}; npm leaves it out when its install script cannot fetch files for GPUs, ` +
        `as behind a proxy; install it without them: ${remedy}`,
    );
  }
}
