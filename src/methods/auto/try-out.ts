import { rm } from "node:fs/promises";
import { join } from "node:path";
import { readConfig } from "../../inference/index.ts";
import { isInterrupted, isTrained, type RunRecord, readMetrics, type Trial } from "../../training/index.ts";
import { DivergedError } from "../../util/diverged.ts";
import { InputError } from "../../util/errors.ts";
import { type Entry, settingsFor } from "./entries.ts";
import { partFor } from "./part.ts";
import type { TrialContext } from "./state.ts";

/**
 * Trains a candidate for some epochs, or goes on with its shorter trial. A candidate that cannot be trained is out; the
 * search goes on.
 */
export async function* tryOut(
  entry: Entry,
  epochs: number,
  { folder, data, settings, options: { signal, onFeatures }, others }: TrialContext,
): AsyncGenerator<RunRecord, Trial> {
  const { name, method, goesOn, pace } = entry;
  const directory = join(folder, goesOn ? slug(name) : `${slug(name)}-${epochs}`);
  // A trial that may be made longer must not stop by itself.
  const patience = goesOn ? 0 : Math.round(settings.patience * pace);
  const complete = settingsFor(entry, settings, others, { epochs, patience, ensemble: { size: 1, keep: false } });
  const told = { name, method, settings: assignments(entry), epochs };
  const begun = Date.now();
  const seconds = (): number => Math.round((Date.now() - begun) / 100) / 10;
  try {
    if (!(await isDone(directory, goesOn ? epochs : undefined))) {
      yield { kind: "stage", name: `trial of ${name}`, epochs };
      const training = others.train(partFor(entry, data), complete, {
        directory,
        resume: true,
        keepState: goesOn,
        signal,
        onFeatures,
      });
      for await (const record of training) {
        if (record.kind === "evaluation") yield { ...record, stage: `trial of ${name}` };
        else if (record.kind === "stage" || record.kind === "step") yield record;
      }
    }
    const own = (await readMetrics(directory)).filter(({ stage }) => stage === undefined);
    const { dev, unshifted, shift } = own.filter(({ improved }) => improved).at(-1)!;
    if (!goesOn) await rm(directory, { recursive: true, force: true });
    return { ...told, f1: dev!.f1, unshifted: unshifted ?? dev!.f1, shift, seconds: seconds() };
  } catch (error) {
    if (!(error instanceof DivergedError || error instanceof InputError)) throw error;
    return { ...told, f1: null, unshifted: null, seconds: seconds(), failure: error.message };
  }
}

/** A trial that was over when the search was interrupted, before this was written down. */
async function isDone(directory: string, epochs: number | undefined): Promise<boolean> {
  if (!isTrained(directory) || isInterrupted(directory)) return false;
  return epochs === undefined || (await readConfig(directory)).training.epochs === epochs;
}

function slug(name: string): string {
  return name.replaceAll(/[^\w-]+/g, "-");
}

/** Settings of a candidate as they stand on a command line. */
function assignments({ head, settings = {}, encoder }: Entry): string[] {
  const walk = (value: unknown, path: string): string[] =>
    typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => walk(inner, path === "" ? key : `${path}.${key}`))
      : [`${path}=${String(value)}`];
  const named = head === "any" ? [] : [`head=${head}`];
  return [...named, ...walk(settings, ""), ...(encoder === undefined ? [] : [`encoder=${encoder}`])];
}
