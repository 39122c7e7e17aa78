import { isComplete, tokenCount, tokenTexts } from "../../text/index.ts";
import { ratio } from "../scores.ts";
import { type Distribution, distributionOf } from "./distribution.ts";
import type { PlacedSentence } from "./placed.ts";

export interface TypeCounts {
  readonly entities: number;
  /** Of all entities, as a fraction of 1. */
  readonly share: number;
  /** Entities of this type for each token. */
  readonly density: number;
  /** Distinct forms, and those that are labelled once only. */
  readonly surfaces: number;
  readonly once: number;
}

export interface CorpusCounts {
  readonly documents: number;
  /** Sentences with tokens; others are not counted. */
  readonly sentences: number;
  readonly tokens: number;
  readonly entities: number;
  /** Entities for each token. */
  readonly density: number;
  /** Sentences of which everything is declared to be known. */
  readonly completeSentences: number;
  readonly sentencesWithoutEntities: number;
  readonly rejected: number;
  readonly unsure: number;
  /** Tokens of a sentence. */
  readonly length: Distribution;
  readonly byType: Readonly<Record<string, TypeCounts>>;
}

export function countsOfCorpus(sentences: readonly PlacedSentence[], documents: number): CorpusCounts {
  const values = sentences.map(({ value }) => value);
  const sum = (count: (sentence: PlacedSentence["value"]) => number): number =>
    values.reduce((total, value) => total + count(value), 0);
  const [tokens, entities] = [sum(tokenCount), sum((value) => value.entities.length)];
  const byType = [...surfacesByType(sentences)].map(([type, surfaces]): [string, TypeCounts] => {
    const counts = [...surfaces.values()];
    const ofType = counts.reduce((total, count) => total + count, 0);
    return [
      type,
      {
        entities: ofType,
        share: ofType / entities,
        density: ofType / tokens,
        surfaces: surfaces.size,
        once: counts.filter((count) => count === 1).length,
      },
    ];
  });
  return {
    documents,
    sentences: values.length,
    tokens,
    entities,
    density: ratio(entities, tokens),
    completeSentences: values.filter(isComplete).length,
    sentencesWithoutEntities: values.filter((value) => value.entities.length === 0).length,
    rejected: sum((value) => value.rejected.length),
    unsure: sum((value) => value.unsure.length),
    length: distributionOf(values.map(tokenCount)),
    byType: Object.fromEntries(byType.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

/** How often each form is labelled, by type. */
function surfacesByType(sentences: readonly PlacedSentence[]): Map<string, Map<string, number>> {
  const types = new Map<string, Map<string, number>>();
  for (const { value } of sentences) {
    if (value.entities.length === 0) continue;
    const tokens = tokenTexts(value);
    for (const { start, end, type } of value.entities) {
      const surfaces = types.get(type) ?? new Map<string, number>();
      types.set(type, surfaces);
      const form = tokens.slice(start, end).join(" ");
      surfaces.set(form, (surfaces.get(form) ?? 0) + 1);
    }
  }
  return types;
}
