import {
  type Entity,
  itemState,
  openState,
  type Sentence,
  type TypeSets,
  tokenCount,
  tokenExclusions,
  withoutOverlaps,
} from "../../text/index.ts";

export interface TokenStates {
  /** An `itemState` for each token; in an entity, the number of its type from 1. */
  readonly states: Int16Array;
  /** Entities that do not overlap. */
  readonly entities: readonly Entity[];
  /** How many were left out because they overlap a longer one. */
  readonly dropped: number;
}

/**
 * What the annotation makes of every token. A token has one tag, so of entities that overlap the longest is kept, and
 * tokens that only the others hold do not train. No token of a rejected span has the type that was rejected, unless it
 * is part of something labelled: a tagger cannot learn less.
 */
export function tokenStates(sentence: Sentence, sets: TypeSets): TokenStates {
  const kept = withoutOverlaps(sentence.entities);
  const excluded = tokenExclusions(sentence, sets);
  for (const { start, end, type } of sentence.rejected) {
    const set = sets.number(type === undefined ? undefined : [type]);
    for (let token = start; token < end; token++) excluded[token] = sets.union(excluded[token]!, set);
  }
  const states = new Int16Array(tokenCount(sentence)).map((_, token) => openState(excluded[token]!));
  for (const { start, end } of sentence.unsure) states.fill(itemState.excluded, start, end);
  for (const { start, end } of sentence.entities) states.fill(itemState.excluded, start, end);
  for (const { start, end, type } of kept) states.fill(sets.types.indexOf(type) + 1, start, end);
  return { states, entities: kept, dropped: sentence.entities.length - kept.length };
}
