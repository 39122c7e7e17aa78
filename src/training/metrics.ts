import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../util/errors.ts";
import { expectation } from "../util/expectation.ts";
import { parseJson } from "../util/json.ts";
import { readTextFile } from "../util/regular-file.ts";
import type { EvaluationRecord } from "./progress.ts";

/** What is taken from a line of `metrics.jsonl`; the line holds more. */
const schema = z.looseObject({
  epoch: z.number(),
  loss: z.number(),
  negatives: z.number(),
  missampling: z.number().optional(),
  improved: z.boolean(),
  stage: z.string().optional(),
  dev: z.looseObject({ precision: z.number(), recall: z.number(), f1: z.number() }).nullable(),
});

/** The evaluations that a training wrote into its folder. */
export async function readMetrics(folder: string): Promise<EvaluationRecord[]> {
  const file = join(folder, "metrics.jsonl");
  const lines = (await readTextFile(file)).trimEnd().split("\n");
  return lines.map((line, index) => evaluationOf(line, { file, line: index + 1 }));
}

function evaluationOf(line: string, place: { readonly file: string; readonly line: number }): EvaluationRecord {
  const what = "an evaluation";
  const value = parseJson(line, what, place);
  const parsed = schema.safeParse(value);
  // As it was written: a resumed run writes the same bytes as one that was never stopped.
  if (parsed.success) return value as EvaluationRecord;
  throw new InputError(`not ${what}: ${expectation(parsed.error.issues[0]!)}`, place);
}
