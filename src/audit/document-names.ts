import type { Document } from "../text/index.ts";

/** What a suspicion calls each document: its id, or its number from 1 where it has none or another has the same. */
export function documentNames(documents: readonly Document[]): (string | number)[] {
  const uses = new Map<string, number>();
  for (const { id } of documents) if (id !== undefined) uses.set(id, (uses.get(id) ?? 0) + 1);
  return documents.map(({ id }, i) => (id !== undefined && uses.get(id) === 1 ? id : i + 1));
}
