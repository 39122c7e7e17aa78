import {
  type Entity,
  itemState,
  openState,
  type Sentence,
  segmentsOf,
  type TypeSets,
  tokenCount,
  tokenExclusions,
} from "../../text/index.ts";

export interface TokenStates {
  /** An `itemState` for each token; in an entity, the number of its type from 1, of several types that of the first. */
  readonly states: Int16Array;
  /** Entities that do not overlap, with the first of their types. */
  readonly entities: readonly Entity[];
  /** Types by number of each token whose entity has several, one of which is right. */
  readonly candidates: ReadonlyMap<number, readonly number[]>;
  /** How many were left out because they overlap a longer one. */
  readonly dropped: number;
}

/**
 * What the annotation makes of every token. A token has one tag, so of entities that overlap the longest is kept, and
 * tokens that only the others hold do not train. No token of a rejected span has the type that was rejected, unless it
 * is part of something labelled: a tagger cannot learn less.
 */
export function tokenStates(sentence: Sentence, sets: TypeSets): TokenStates {
  const { segments, dropped } = segmentsOf(sentence.entities);
  const excluded = tokenExclusions(sentence, sets);
  for (const { start, end, type } of sentence.rejected) {
    const set = sets.number(type === undefined ? undefined : [type]);
    for (let token = start; token < end; token++) excluded[token] = sets.union(excluded[token]!, set);
  }
  const states = new Int16Array(tokenCount(sentence)).map((_, token) => openState(excluded[token]!));
  for (const { start, end } of sentence.unsure) states.fill(itemState.excluded, start, end);
  for (const { start, end } of sentence.entities) states.fill(itemState.excluded, start, end);
  const candidates = new Map<number, readonly number[]>();
  for (const { start, end, types } of segments) {
    const numbers = types.map((type) => sets.types.indexOf(type));
    states.fill(numbers[0]! + 1, start, end);
    if (numbers.length > 1) for (let token = start; token < end; token++) candidates.set(token, numbers);
  }
  const entities = segments.map(({ start, end, types }) => ({ start, end, type: types[0]! }));
  return { states, entities, candidates, dropped };
}
