import type { z } from "zod";
import { InputError } from "../util/errors.ts";
import { expectation } from "../util/expectation.ts";
import { parseJson } from "../util/json.ts";
import { own } from "../util/own.ts";

/** What a file of a saved model holds, if it is what the encoder wrote there. */
export function savedFile<S extends z.ZodType>(
  files: Readonly<Record<string, string>>,
  name: string,
  schema: S,
): z.output<S> {
  const text = own(files, name);
  if (text === undefined) throw new InputError(`the model has no file ${name}`);
  return checked(schema, parseJson(text, "a file of a saved encoder", { file: name }), name);
}

/** The settings of a saved encoder, as they were when it was made. */
export function savedSettings<S extends z.ZodType>(schema: S, settings: unknown): z.output<S> {
  return checked(schema, settings, "config.json");
}

function checked<S extends z.ZodType>(schema: S, value: unknown, file: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { path } = parsed.error.issues[0]!;
  const where = path.length === 0 ? "" : `${path.slice(0, 3).join(".")}: `;
  throw new InputError(`not that of a saved encoder: ${where}${expectation(parsed.error.issues[0]!)}`, { file });
}
