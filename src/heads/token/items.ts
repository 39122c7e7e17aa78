import { type Entity, itemState, type Sentence, type Span, type TypeSets, tokenCount } from "../../text/index.ts";
import { type Adjustment, bySentence, type Corpus } from "../head.ts";
import { shift, type Window, windows } from "../windows.ts";
import { type TokenStates, tokenStates } from "./states.ts";
import type { TagSet } from "./tag-set.ts";

/** A sentence, or a window of a long one, ready for training. */
export interface TokenItem {
  /** Its number: the key of all randomness about it. */
  readonly id: number;
  readonly sentence: Sentence;
  /** Entities within it, which do not overlap. */
  readonly entities: readonly Entity[];
  /** An `itemState` for each token. */
  readonly states: Int16Array;
  /** The tag of each token, 0 where it is in no entity. */
  readonly tags: Int32Array;
  /** Types of tokens whose entity has several, one of which is right. */
  readonly candidates: TokenStates["candidates"];
  /** What earlier stages found out, by token. */
  readonly adjusted?: ReadonlyMap<number, Pick<Adjustment, "weight" | "target" | "allowed">> | undefined;
  /** 1 for tokens of entities that were hidden on purpose. */
  readonly hidden?: Uint8Array | undefined;
}

/**
 * Sentences as items, long ones in windows; sentences without tokens have nothing to teach. What a window holds of its
 * neighbours' tokens is context only. `dropped` counts the entities that overlap longer ones.
 */
export function tokenItems(
  { sentences, hidden, adjustments = [] }: Corpus,
  sets: TypeSets,
  tagSet: TagSet,
): { readonly items: TokenItem[]; readonly dropped: number } {
  const adjusted = bySentence(adjustments);
  const items: TokenItem[] = [];
  let dropped = 0;
  sentences.forEach((sentence, number) => {
    const length = tokenCount(sentence);
    if (length === 0) return;
    const known = tokenStates(sentence, sets);
    const changes = adjusted.get(number)?.map((each) => [each.start, each] as const);
    const whole = {
      ...known,
      tags: tagSet.encode(length, known.entities),
      adjusted: changes && new Map(changes),
      hidden: hidden && flags(length, hidden[number]!),
    };
    dropped += known.dropped;
    for (const window of windows(sentence))
      items.push({ id: items.length, sentence: window.sentence, ...part(whole, window) });
  });
  return { items, dropped };
}

function flags(length: number, spans: readonly Span[]): Uint8Array {
  const result = new Uint8Array(length);
  for (const { start, end } of spans) result.fill(1, start, end);
  return result;
}

type Knowledge = Omit<TokenItem, "id" | "sentence">;

/** What a window has of the knowledge about its sentence. */
function part(
  { entities, states, tags, candidates, adjusted, hidden }: Knowledge,
  { sentence, offset, ownStart, ownEnd }: Window,
): Knowledge {
  const end = offset + tokenCount(sentence);
  const [from, to] = [offset + ownStart, offset + ownEnd];
  const own = states.slice(offset, end).fill(itemState.excluded, 0, ownStart).fill(itemState.excluded, ownEnd);
  const ofWindow = <V>(byToken: ReadonlyMap<number, V>): ReadonlyMap<number, V> =>
    new Map([...byToken].flatMap(([token, value]) => (token >= from && token < to ? [[token - offset, value]] : [])));
  return {
    states: own,
    tags: tags.slice(offset, end),
    candidates: ofWindow(candidates),
    entities: entities.filter(({ start }) => start >= from && start < to).map((entity) => shift(entity, -offset)),
    adjusted: adjusted && ofWindow(adjusted),
    hidden: hidden?.slice(offset, end),
  };
}
