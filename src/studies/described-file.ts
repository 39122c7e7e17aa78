import type { z } from "zod";
import { InputError, quote } from "../util/errors.ts";
import { expectation, fewOf } from "../util/expectation.ts";
import { own } from "../util/own.ts";

/** What a file holds, if it is what it should be; else an error that names everything that is wrong. */
export function checked<S extends z.ZodType>(
  schema: S,
  given: unknown,
  { file, what }: { readonly file: string; readonly what: string },
): z.output<S> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => describe(issue, given));
  throw new InputError(`not a ${what}: ${fewOf(problems)}`, { file });
}

/** `seeds.0: expected int, got "one"`, or which names are not known. */
function describe(issue: z.core.$ZodIssue, given: unknown): string {
  const path = issue.path.map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => quote(path === "" ? key : `${path}.${key}`));
    return `unknown ${names.join(", ")}`;
  }
  const value = issue.path.reduce<unknown>((inner, key) => own(Object(inner), String(key)), given);
  return `${path}: ${expectation(issue)}, got ${quote(value)}`;
}
