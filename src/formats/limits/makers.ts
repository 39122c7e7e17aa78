import { type Annotation, annotate, type Entity, type Sentence, surface } from "../../text/index.ts";
import { quote } from "../../util/errors.ts";
import type { Limit, Lose, WriteOptions } from "../format.ts";

export function sentenceLimit(
  what: string,
  reduce: (sentence: Sentence, lose: Lose, options: WriteOptions) => Sentence,
): Limit {
  return {
    what,
    reduce(document, lose, options) {
      const sentences = document.sentences.map((sentence) => reduce(sentence, lose, options));
      return sentences.every((sentence, i) => sentence === document.sentences[i])
        ? document
        : { ...document, sentences };
    },
  };
}

export function entitiesLimit(
  what: string,
  reduce: (entities: readonly Entity[], lose: (entity: Entity) => void) => readonly Entity[],
): Limit {
  return sentenceLimit(what, (sentence, lose) => {
    if (sentence.entities.length < 2) return sentence;
    const entities = reduce(sentence.entities, (entity) => lose(() => describeEntity(sentence, entity)));
    return entities.length === sentence.entities.length ? sentence : annotate(sentence, { entities });
  });
}

export function entityLimit(
  what: string,
  reduce: (entity: Entity, lose: Lose, describe: () => string) => Entity,
): Limit {
  return sentenceLimit(what, (sentence, lose) => {
    const entities = sentence.entities.map((entity) => reduce(entity, lose, () => describeEntity(sentence, entity)));
    const same = entities.every((entity, i) => entity === sentence.entities[i]);
    return same ? sentence : annotate(sentence, { entities } satisfies Annotation);
  });
}

function describeEntity(sentence: Sentence, entity: Entity): string {
  return `${entity.type} ${quote(surface(sentence, entity))}`;
}
