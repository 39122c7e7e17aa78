import { type Document, tokenise } from "../text/index.ts";
import type { AuditFile } from "./audit-file.ts";
import { type History, history } from "./history.ts";
import type { Decision, Item, Kind, Mark } from "./model.ts";
import { openReview } from "./review.ts";

/** A document from words with annotations as `[surface, type]`, each at its first place. */
export function documentOf(text: string, labels: readonly (readonly [surface: string, type: string])[] = []): Document {
  return tokenise(text, { entities: labels.map(([surface, type]) => markIn(text, surface, type)) });
}

export function markIn(text: string, surface: string, type: string): Mark {
  const start = text.indexOf(surface);
  if (start < 0) throw new Error(`there is no ${surface}`);
  return { start, end: start + surface.length, type };
}

/** A suspicion at the first place of a surface in the text of the document with this number. */
export function suspicion(
  kind: Kind,
  documents: readonly Document[],
  number: number,
  surface: string,
  type: string,
  given: readonly [surface: string, type: string] | null = null,
): Item {
  const { text } = documents[number - 1]!;
  return {
    kind,
    score: 0.9,
    document: number,
    ...markIn(text, surface, type),
    text: surface,
    given: given === null ? null : markIn(text, ...given),
    reasons: ["it looks like it"],
    group: `${surface}|${kind}|${type}`,
  };
}

export function auditOf(items: readonly Item[]): AuditFile {
  return {
    path: "audit.jsonl",
    suspicions: items as AuditFile["suspicions"],
    lines: items.map((_, i) => i + 1),
    sha256: "of the audit",
  };
}

/** A decision with what does not matter filled in. */
export function decision(sequence: number, content: Omit<Decision, "sequence" | "time" | "client">): Decision {
  return { sequence, time: "2026-01-01T00:00:00.000Z", client: "tab", ...content };
}

/** The documents after some decisions. */
export async function decided(
  documents: readonly Document[],
  items: readonly Item[],
  ...contents: readonly Omit<Decision, "sequence" | "time" | "client">[]
): Promise<Document[]> {
  const made: History = history(items.length);
  for (const [i, content] of contents.entries()) made.add(decision(i + 1, content));
  return [...(await openReview(documents, auditOf(items))).reviewed(made)];
}
