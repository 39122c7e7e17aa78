import { isMainThread } from "node:worker_threads";
import { InputError } from "../../util/errors.ts";

const variable = "ORT_DISABLE_TELEMETRY";
const given = process.env[variable];

/**
 * ONNX Runtime sends usage data unless this variable is set before it starts: a device id and a database below the
 * user's cache folder, a log among the temporary files, and connections. Lacuna switches that off; this file must be
 * imported before the runtime.
 */
if (!given) process.env[variable] = "1";

/** The environment of a worker thread is a copy, which the runtime does not see: there the variable must be inherited. */
export function assertNoTelemetry(): void {
  if (isMainThread || given) return;
  throw new InputError(
    `ONNX Runtime would send usage data from this thread: import lacuna-ner in the main thread before starting it, or set ${variable}=1`,
  );
}
