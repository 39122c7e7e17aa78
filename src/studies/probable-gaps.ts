import { compareEntities, type Entity, overlaps, type Sentence, stateOf, surface } from "../text/index.ts";

/** An annotation that a model would add to its training data. */
export interface ProbableGap {
  /** Number of the sentence in the data, from 0. */
  readonly sentence: number;
  readonly entity: Entity;
  readonly surface: string;
  readonly text: string;
  readonly probability: number;
  /** It was annotated, and hidden on purpose. */
  readonly hidden: boolean;
}

export interface ProbableGaps {
  /** The most probable first. */
  readonly all: readonly ProbableGap[];
  /** How many of them were hidden. */
  readonly right: number;
}

/**
 * What a model finds in its own training data where these say nothing, by probability: the annotations that are
 * probably missing. Predictions that overlap an annotation contradict it and are no gaps.
 */
export function probableGaps(
  sentences: readonly Sentence[],
  predicted: readonly Sentence[],
  hidden: readonly (readonly Entity[])[],
): ProbableGaps {
  const all = sentences.flatMap((sentence, number) =>
    predicted[number]!.entities.filter((entity) => isGap(sentence, entity)).map(
      (entity): ProbableGap => ({
        sentence: number,
        entity,
        surface: surface(sentence, entity),
        text: sentence.text,
        probability: entity.score ?? 0,
        hidden: hidden[number]!.some((gone) => compareEntities(gone, entity) === 0),
      }),
    ),
  );
  all.sort((a, b) => b.probability - a.probability || a.sentence - b.sentence);
  return { all, right: all.filter((gap) => gap.hidden).length };
}

function isGap(sentence: Sentence, entity: Entity): boolean {
  return (
    stateOf(sentence, entity, entity.type) === "unknown" && !sentence.entities.some((known) => overlaps(known, entity))
  );
}
