import { characters, type Sentence, surface } from "../text/index.ts";

/** An entity in a text: UTF-16 offsets `[start, end)`, so that `text.slice(start, end)` is its surface. */
export interface TaggedEntity {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly type: string;
  /** Probability under the model; with retrieval, the mixed score. */
  readonly score: number;
}

/** The predicted entities of the sentences of a text. */
export function taggedEntities(sentences: readonly Sentence[]): TaggedEntity[] {
  return sentences.flatMap((sentence) =>
    sentence.entities.map((entity) => ({
      ...characters(sentence, entity),
      text: surface(sentence, entity),
      type: entity.type,
      score: entity.score!,
    })),
  );
}
