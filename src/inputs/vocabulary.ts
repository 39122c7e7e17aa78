/** Strings ↔ ids. Id 0 stands for padding, id 1 for everything that was not seen. */
export interface Vocabulary {
  /** Number of ids, the two special ones included. */
  readonly size: number;
  readonly entries: readonly string[];
  id(entry: string): number;
}

export const paddingId = 0;
export const unknownId = 1;

export function vocabulary(entries: readonly string[]): Vocabulary {
  const ids = new Map(entries.map((entry, i) => [entry, i + 2]));
  return { size: entries.length + 2, entries, id: (entry) => ids.get(entry) ?? unknownId };
}

/** The entries that occur at least `minimum` times, most frequent first, equal counts in alphabetical order. */
export function countedVocabulary(entries: Iterable<string>, minimum = 1): Vocabulary {
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  const kept = [...counts].filter(([, count]) => count >= minimum);
  kept.sort(([a, countA], [b, countB]) => countB - countA || (a < b ? -1 : 1));
  return vocabulary(kept.map(([entry]) => entry));
}
