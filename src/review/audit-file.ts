import { createHash } from "node:crypto";
import { placedSuspicions, type Suspicion } from "../audit/index.ts";
import { readTextFile } from "../util/regular-file.ts";

/** The suspicions of an audit, with the lines they stand on. */
export interface AuditFile {
  readonly path: string;
  readonly suspicions: readonly Suspicion[];
  readonly lines: readonly number[];
  readonly sha256: string;
}

export async function readAudit(path: string): Promise<AuditFile> {
  const text = await readTextFile(path);
  const placed = placedSuspicions(text, path);
  return {
    path,
    suspicions: placed.map(({ suspicion }) => suspicion),
    lines: placed.map(({ line }) => line),
    sha256: createHash("sha256").update(text).digest("hex"),
  };
}
