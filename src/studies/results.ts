import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { z } from "zod";
import { completeSettings } from "../methods/index.ts";
import type { Settings } from "../training/index.ts";
import { InputError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { readTextFile } from "../util/regular-file.ts";
import { type Identified, identityOf, keyOf } from "./identity.ts";
import { fileSilence } from "./train-file.ts";

const score = z.object({ precision: z.number(), recall: z.number(), f1: z.number(), support: z.number() });
const scores = score.extend({ byType: z.record(z.string(), score) });

/** One line of `results.jsonl`: everything about a run that a table or a figure may need, and no text. */
export const resultSchema = z.object({
  study: z.string(),
  /** The labels of its values on the axes of the study. */
  place: z.record(z.string(), z.string()),
  settings: z.record(z.string(), z.unknown()),
  files: z.object({
    train: z
      .array(
        z.object({
          file: z.string(),
          silence: fileSilence,
          types: z.array(z.string()).readonly().optional(),
          part: z.tuple([z.number(), z.number()]).readonly().optional(),
        }),
      )
      .readonly(),
    dev: z.string(),
    test: z.string(),
  }),
  hashes: z.object({ train: z.array(z.string()).readonly(), dev: z.string(), test: z.string() }),
  masking: z.object({ by: z.enum(["mention", "fraction", "surface"]), rate: z.number(), seed: z.number() }).nullable(),
  date: z.string(),
  version: z.string(),
  /** What was trained on. */
  train: z.object({ sentences: z.number(), entities: z.number(), hidden: z.number() }),
  /** Numbers in the model, and how many of them are word vectors. */
  parameters: z.object({ all: z.number(), words: z.number() }),
  bestEpoch: z.number(),
  dev: scores,
  test: scores,
  /** On test without the decision shift, where one was chosen. */
  unshifted: scores.optional(),
  /** Correct, predicted and gold entities of each test sentence; see `packCounts`. */
  counts: z.string(),
  epochs: z.array(
    z.object({
      epoch: z.number(),
      loss: z.number(),
      precision: z.number(),
      recall: z.number(),
      f1: z.number(),
      negatives: z.number(),
      missampling: z.number().optional(),
    }),
  ),
  seconds: z.number(),
  /** Most bytes in memory at a time. */
  memory: z.number(),
});
export type Result = z.output<typeof resultSchema>;

/** Results by what identifies their runs. */
export interface StoredResults {
  /** For tables, which need no data at hand. */
  readonly byIdentity: ReadonlyMap<string, Result>;
  /** For running: the same settings on other data are another run. */
  readonly byKey: ReadonlyMap<string, Result>;
  /** Results whose settings do not exist any more. */
  readonly outdated: number;
}

/**
 * Reads the results of a study. The last of two results of a run counts. Settings that were introduced after a run
 * get their defaults, so that a new setting does not make old results worthless.
 */
export async function readResults(file: string): Promise<StoredResults> {
  const byIdentity = new Map<string, Result>();
  const byKey = new Map<string, Result>();
  let outdated = 0;
  if (!existsSync(file)) return { byIdentity, byKey, outdated };
  const lines = wholeLines(await readTextFile(file)).split("\n");
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    const result = parseResult(line, { file, line: index + 1 });
    const run = identified(result);
    if (run === undefined) outdated++;
    else {
      byIdentity.set(identityOf(run), result);
      byKey.set(keyOf(run, result.hashes), result);
    }
  }
  return { byIdentity, byKey, outdated };
}

/** Adds a line. A process that was killed while writing may have left a part of one, which goes first. */
export async function appendResult(file: string, result: Result): Promise<void> {
  const handle = await open(file, "a+");
  try {
    const text = await handle.readFile("utf8");
    const whole = wholeLines(text);
    if (whole.length < text.length) await handle.truncate(Buffer.byteLength(whole));
    await handle.appendFile(`${JSON.stringify(result)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function wholeLines(text: string): string {
  return text.slice(0, text.lastIndexOf("\n") + 1);
}

function parseResult(line: string, place: { readonly file: string; readonly line: number }): Result {
  const parsed = resultSchema.safeParse(parseJson(line, "a result", place));
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new InputError(`not a result: ${path.join(".") || "top level"}: ${message}`, place);
}

function identified({ settings, files, masking }: Result): Identified | undefined {
  const complete = completeOrNone(settings);
  return complete && { settings: complete, files, masking };
}

function completeOrNone(settings: Readonly<Record<string, unknown>>): Settings | undefined {
  try {
    return completeSettings(settings);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}
