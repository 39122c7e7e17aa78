import { createHash } from "node:crypto";
import { z } from "zod";
import { type Sentence, tokenTexts } from "../text/index.ts";
import { InputError, quote } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { longWork } from "../util/long-work.ts";
import type { TrainingData } from "./data.ts";
import { isRecord } from "./merge.ts";
import type { Settings } from "./settings.ts";

/** What a training depends on: a checkpoint serves only one that agrees in all of it. */
export interface Fingerprint {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly train: string;
  readonly dev: string;
  readonly types: readonly string[];
  /** What earlier stages changed. */
  readonly adjustments: string;
}

/** Threads, device and the time limit may change when a run is resumed; all else makes another run. */
export function fingerprintOf(data: TrainingData, { threads, device, minutes, ...settings }: Settings): Fingerprint {
  return {
    settings,
    train: longWork(() => hashSentences(data.train)),
    dev: longWork(() => hashSentences(data.dev)),
    types: data.types ?? [],
    adjustments: hashText(JSON.stringify(data.adjustments ?? [])),
  };
}

/** A hash of tokens and annotations: the same data in another file format hash alike. */
export function hashSentences(sentences: readonly Sentence[]): string {
  const hash = createHash("sha256");
  for (const sentence of sentences) {
    const { entities, rejected, unsure, complete } = sentence;
    hash.update(JSON.stringify([tokenTexts(sentence), entities, rejected, unsure, complete]));
  }
  return hash.digest("hex");
}

const schema = z.object({
  settings: z.record(z.string(), z.unknown()),
  train: z.string(),
  dev: z.string(),
  types: z.array(z.string()).optional(),
  adjustments: z.string().optional(),
});

export function parseFingerprint(text: string | undefined, file: string): Fingerprint {
  const value = text === undefined ? undefined : parseJson(text, "a checkpoint", { file });
  if (schema.safeParse(value).success) return value as Fingerprint;
  throw new InputError("not a checkpoint of this version; train into another folder or remove it", { file });
}

/** The first thing in which two fingerprints differ, in words; nothing when they agree. */
export function describeDifference(before: Fingerprint, now: Fingerprint): string | undefined {
  if (before.train !== now.train) return "the training data differ";
  if (before.dev !== now.dev) return "the dev data differ";
  if (before.types?.join() !== now.types.join()) return "the known types differ";
  const paths = differences(madeLonger(before.settings, now.settings), now.settings);
  if (paths.length > 0) return paths.join(", ");
  return before.adjustments === now.adjustments ? undefined : "what earlier stages found differs";
}

/** Settings with those of another run by which it is longer: more epochs, more patience. */
function madeLonger(before: Fingerprint["settings"], now: Fingerprint["settings"]): Fingerprint["settings"] {
  const { epochs, patience } = now as { readonly epochs: number; readonly patience: number };
  return {
    ...before,
    ...(epochs > Number(before.epochs) && { epochs }),
    ...((patience > Number(before.patience) || patience === 0) && { patience }),
  };
}

/** `rate was 0.001 and is 0.01`, for every setting that differs. */
function differences(before: unknown, now: unknown, path = ""): string[] {
  if (isRecord(before) && isRecord(now)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...keys].flatMap((key) => differences(before[key], now[key], path === "" ? key : `${path}.${key}`));
  }
  if (JSON.stringify(before) === JSON.stringify(now)) return [];
  return [`${path} was ${quote(before)} and is ${quote(now)}`];
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
