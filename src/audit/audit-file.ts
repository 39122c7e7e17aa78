import { InputError, quote } from "../util/errors.ts";
import { expectation } from "../util/expectation.ts";
import { parseJson } from "../util/json.ts";
import { type Suspicion, suspicionSchema } from "./suspicion.ts";

/** Suspicions as the lines of `audit.jsonl`. */
export function* auditLines(suspicions: Iterable<Suspicion>): Generator<string> {
  for (const suspicion of suspicions) yield `${JSON.stringify(suspicion)}\n`;
}

/** The suspicions of an `audit.jsonl`. */
export function parseAudit(text: string, file: string): Suspicion[] {
  return placedSuspicions(text, file).map(({ suspicion }) => suspicion);
}

/** The same with the line that each stands on, from 1. */
export function placedSuspicions(
  text: string,
  file: string,
): { readonly suspicion: Suspicion; readonly line: number }[] {
  return text.split("\n").flatMap((content, i) => {
    if (content.trim() === "") return [];
    const place = { file, line: i + 1 };
    const parsed = suspicionSchema.safeParse(parseJson(content, "a line of an audit", place));
    if (parsed.success) return [{ suspicion: parsed.data, line: i + 1 }];
    const [issue] = parsed.error.issues;
    const key = issue!.path.map(String).join(".");
    throw new InputError(
      `not a line of an audit: ${key === "" ? "" : `${quote(key)} `}${expectation(issue!)}; give a file that \`lacuna audit\` wrote`,
      place,
    );
  });
}

/** The suspicions that an earlier audit of the same documents did not have, whatever score they had there. */
export function newSince(suspicions: readonly Suspicion[], before: readonly Suspicion[]): Suspicion[] {
  const known = new Set(before.map(identity));
  return suspicions.filter((suspicion) => !known.has(identity(suspicion)));
}

function identity({ kind, document, start, end, type, given }: Suspicion): string {
  return JSON.stringify([kind, document, start, end, type, given && [given.start, given.end, given.type]]);
}
