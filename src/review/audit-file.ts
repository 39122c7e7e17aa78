import { createHash } from "node:crypto";
import { type Suspicion, suspicionSchema } from "../audit/index.ts";
import { InputError, quote } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { readTextFile } from "../util/regular-file.ts";

/** The suspicions of an audit, with the lines they stand on. */
export interface AuditFile {
  readonly path: string;
  readonly suspicions: readonly Suspicion[];
  readonly lines: readonly number[];
  readonly sha256: string;
}

/** Reads `audit.jsonl`, of which every line must be a suspicion. */
export async function readAudit(path: string): Promise<AuditFile> {
  const text = await readTextFile(path);
  const suspicions: Suspicion[] = [];
  const lines: number[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = { file: path, line: i + 1 };
    const value = parseJson(line, "a suspicion of an audit", place);
    const parsed = suspicionSchema.safeParse(value);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const where = issue!.path.length === 0 ? "" : `${issue!.path.join(".")}: `;
      throw new InputError(`not a suspicion of an audit: ${where}${issue!.message}, got ${quote(value)}`, place);
    }
    suspicions.push(parsed.data);
    lines.push(i + 1);
  }
  return { path, suspicions, lines, sha256: createHash("sha256").update(text).digest("hex") };
}
