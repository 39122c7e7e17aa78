import type { Entity, Sentence } from "../../text/index.ts";

/** Tells whether a label was made by a dictionary. */
export type FromDictionary = (sentence: Sentence, entity: Entity) => boolean;

/** Labels that name the entry they come from were made by a dictionary. */
export const namesEntry: FromDictionary = (_, { provenance }) => provenance?.entry !== undefined;

/** Where labels come from. */
export interface Origins {
  readonly labels: number;
  /** How many of them a dictionary made. */
  readonly fromDictionary: number;
  /** The same by type. */
  readonly byType: Readonly<Record<string, { readonly labels: number; readonly fromDictionary: number }>>;
  /** Labels by their source, where they name one, most first. */
  readonly sources: Readonly<Record<string, number>>;
}

export function originsOf(sentences: readonly Sentence[], isFromDictionary: FromDictionary): Origins {
  const byType = new Map<string, { labels: number; fromDictionary: number }>();
  const sources = new Map<string, number>();
  for (const sentence of sentences) {
    for (const entity of sentence.entities) {
      const counts = byType.get(entity.type) ?? { labels: 0, fromDictionary: 0 };
      byType.set(entity.type, counts);
      counts.labels++;
      if (isFromDictionary(sentence, entity)) counts.fromDictionary++;
      const source = entity.provenance?.source;
      if (source !== undefined) sources.set(source, (sources.get(source) ?? 0) + 1);
    }
  }
  const sum = (pick: (counts: { labels: number; fromDictionary: number }) => number): number =>
    [...byType.values()].reduce((total, counts) => total + pick(counts), 0);
  return {
    labels: sum(({ labels }) => labels),
    fromDictionary: sum(({ fromDictionary }) => fromDictionary),
    byType: Object.fromEntries([...byType].sort(([a], [b]) => (a < b ? -1 : 1))),
    sources: Object.fromEntries([...sources].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))),
  };
}

/** Labels of which a dictionary made at least half say nothing of one another: it knows a name or it does not. */
export function isMostlyDictionary({ labels, fromDictionary }: { labels: number; fromDictionary: number }): boolean {
  return labels > 0 && 2 * fromDictionary >= labels;
}
