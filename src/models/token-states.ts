import { type Entity, overlaps, type Sentence, type Span, tokenCount } from "../text/index.ts";

/** What is known of a token. */
export const tokenState = {
  /** Part of an entity. */
  entity: 1,
  /** Said to be none: rejected, or in a part that was declared complete. */
  negative: 0,
  /** Nobody spoke of it. */
  unknown: -1,
  /** Not to be learned from: unsure, part of an entity that tags cannot hold, or another window's. */
  excluded: -2,
} as const;

export interface TokenStates {
  readonly states: Int8Array;
  /** Entities that do not overlap. */
  readonly entities: readonly Entity[];
  /** How many were left out because they overlap a longer one. */
  readonly dropped: number;
}

/**
 * The state of every token. Of entities that overlap the longest is kept (of equals the first), since a token has one tag;
 * tokens that only the others hold are excluded. The tokens of a rejected span are negatives, unless they are part of
 * something else: a tagger cannot learn less.
 */
export function tokenStates(sentence: Sentence, types: readonly string[]): TokenStates {
  const { complete, rejected, unsure } = sentence;
  const states = new Int8Array(tokenCount(sentence)).fill(tokenState.unknown);
  const put = (spans: readonly Span[], state: number): void => {
    for (const { start, end } of spans) states.fill(state, start, end);
  };
  const all = (named: readonly string[] | undefined): boolean =>
    named === undefined || types.every((type) => named.includes(type));
  const kept = withoutOverlaps(sentence.entities);
  put(
    complete.filter(({ types: named }) => all(named)),
    tokenState.negative,
  );
  put(
    rejected.filter(({ type }) => all(type === undefined ? undefined : [type])),
    tokenState.negative,
  );
  put(unsure, tokenState.excluded);
  put(sentence.entities, tokenState.excluded);
  put(kept, tokenState.entity);
  return { states, entities: kept, dropped: sentence.entities.length - kept.length };
}

function withoutOverlaps(entities: readonly Entity[]): readonly Entity[] {
  if (entities.every((entity, i) => i === 0 || entity.start >= entities[i - 1]!.end)) return entities;
  const kept: Entity[] = [];
  for (const entity of [...entities].sort((a, b) => b.end - b.start - (a.end - a.start))) {
    if (!kept.some((other) => overlaps(other, entity))) kept.push(entity);
  }
  return kept.sort((a, b) => a.start - b.start);
}
