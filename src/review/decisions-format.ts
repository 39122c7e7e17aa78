import { z } from "zod";
import { InputError, type Place, quote } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { type Entry, type Header, verdicts } from "./model.ts";

const whole = z.int().min(0);
const signed = { sequence: z.int().min(1), time: z.iso.datetime(), client: z.string().min(1).max(64) };

const headerSchema = z.strictObject({
  review: z.literal(1),
  data: z.string(),
  audit: z.string(),
  suspicions: whole,
});

const decisionSchema = z.strictObject({
  ...signed,
  verdict: z.enum(verdicts),
  type: z.string().min(1).optional(),
  start: whole.optional(),
  end: whole.optional(),
  items: z.array(z.int().min(1)).min(1),
});

const entrySchema = z.union([
  decisionSchema,
  z.strictObject({ ...signed, undo: z.int().min(1) }),
  z.strictObject({ ...signed, redo: z.int().min(1) }),
]);

/** The content of a decisions file. */
export interface Decisions {
  readonly header: Header;
  readonly entries: readonly Entry[];
  /** How many characters of the text count: the last line may have been cut off when the machine stopped. */
  readonly length: number;
}

/** Reads a decisions file. A last line that was not written to its end is left out; any other bad line is an error. */
export function parseDecisions(text: string, file: string): Decisions {
  const lines = text.split("\n");
  const torn = lines.pop()!;
  if (lines.length === 0) throw new InputError(`not a decisions file: it has no first line`, { file });
  const header = parsed(headerSchema, lines[0]!, { file, line: 1 }) as Header;
  const entries = lines.slice(1).map((line, i) => parsed(entrySchema, line, { file, line: i + 2 }) as Entry);
  return { header, entries, length: text.length - torn.length };
}

function parsed(schema: z.ZodType, line: string, place: Place): unknown {
  const value = parseJson(line, "a line of a decisions file", place);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new InputError(
    `not a line of a decisions file: ${result.error.issues[0]!.message}, got ${quote(value)}`,
    place,
  );
}

/** Refuses decisions on other data or on another audit. */
export function assertSame(found: Header, wanted: Header, file: string): void {
  const changed = (["data", "audit"] as const).filter((name) => found[name] !== wanted[name]);
  if (changed.length === 0) return;
  const flags = changed.map((name) => `--${name}`).join(" and ");
  throw new InputError(
    `these decisions were made on other files: ${flags} changed since; give the old ones, or start anew with another --out`,
    { file },
  );
}
