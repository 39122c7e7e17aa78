import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { RunRecord } from "../../training/index.ts";
import { type Entry, settingsFor } from "./entries.ts";
import type { SearchState, TrialContext } from "./state.ts";

/** Epochs and starts that take no time at all cannot be planned with. */
const least = 1e-3;

/** How long an epoch of plain training takes here, and the start of a training: one epoch is trained, and thrown away. */
export async function* calibrate(
  entry: Entry,
  { folder, data, settings, options, others }: TrialContext,
): AsyncGenerator<RunRecord, SearchState["rate"]> {
  if (settings.auto.epochSeconds > 0) return { epoch: settings.auto.epochSeconds, start: 0 };
  const directory = join(folder, "calibration");
  await rm(directory, { recursive: true, force: true });
  const complete = settingsFor(entry, settings, others, { epochs: 1, patience: 0, ensemble: { size: 1, keep: false } });
  const features = { first: 0, last: 0 };
  const onFeatures: typeof options.onFeatures = (progress) => {
    features.last = Date.now();
    features.first ||= features.last;
    options.onFeatures?.(progress);
  };
  yield { kind: "stage", name: "calibration", epochs: 1 };
  const times = { begun: Date.now(), started: 0, over: 0 };
  for await (const record of others.train(data, complete, { directory, signal: options.signal, onFeatures })) {
    if (record.kind === "start") times.started = Date.now();
    if (record.kind === "evaluation") times.over = Date.now();
    if (record.kind === "step") yield record;
  }
  await rm(directory, { recursive: true, force: true });
  // Vectors of frozen parts are computed once, for all trials.
  const start = times.started - times.begun - (features.last - features.first);
  return { epoch: Math.max(least, (times.over - times.started) / 1000), start: Math.max(0, start / 1000) };
}
