import { type Entity, type Sentence, type Span, tokenCount } from "../text/index.ts";
import type { TagSet } from "./tag-set.ts";
import type { TokenItem } from "./token-batch.ts";
import { tokenState, tokenStates } from "./token-states.ts";
import { shift, type Window, windows } from "./windows.ts";

/** Sentences, and of each the entities that were hidden on purpose, where these are known. */
interface Corpus {
  readonly train: readonly Sentence[];
  readonly hidden?: readonly (readonly Entity[])[] | undefined;
}

/**
 * Sentences as items, long ones in windows; sentences without tokens have nothing to teach. What a window holds of its
 * neighbours' tokens is context only. `dropped` counts the entities that overlap longer ones.
 */
export function tokenItems(
  { train, hidden }: Corpus,
  types: readonly string[],
  tagSet: TagSet,
  removed: readonly { readonly sentence: number; readonly token: number }[],
): { readonly items: TokenItem[]; readonly dropped: number } {
  const removedIn = new Map<number, Span[]>();
  for (const { sentence, token } of removed) {
    const spans = removedIn.get(sentence) ?? [];
    removedIn.set(sentence, spans);
    spans.push({ start: token, end: token + 1 });
  }
  const items: TokenItem[] = [];
  let dropped = 0;
  train.forEach((sentence, number) => {
    const length = tokenCount(sentence);
    if (length === 0) return;
    const known = tokenStates(sentence, types);
    const whole = {
      ...known,
      tags: tagSet.encode(length, known.entities),
      removed: removedIn.has(number) ? flags(length, removedIn.get(number)!) : undefined,
      hidden: hidden && flags(length, hidden[number]!),
    };
    dropped += known.dropped;
    for (const window of windows(sentence)) {
      const place = { sentence: number, offset: window.offset };
      items.push({ id: items.length, sentence: window.sentence, place, ...part(whole, window) });
    }
  });
  return { items, dropped };
}

function flags(length: number, spans: readonly Span[]): Uint8Array {
  const result = new Uint8Array(length);
  for (const { start, end } of spans) result.fill(1, start, end);
  return result;
}

type Knowledge = Pick<TokenItem, "entities" | "states" | "tags" | "removed" | "hidden">;

/** What a window has of the knowledge about its sentence. */
function part(
  { entities, states, tags, removed, hidden }: Knowledge,
  { sentence, offset, ownStart, ownEnd }: Window,
): Knowledge {
  const end = offset + tokenCount(sentence);
  const [from, to] = [offset + ownStart, offset + ownEnd];
  const own = states.slice(offset, end).fill(tokenState.excluded, 0, ownStart).fill(tokenState.excluded, ownEnd);
  return {
    states: own,
    tags: tags.slice(offset, end),
    entities: entities.filter(({ start }) => start >= from && start < to).map((entity) => shift(entity, -offset)),
    removed: removed?.slice(offset, end).fill(0, 0, ownStart).fill(0, ownEnd),
    hidden: hidden?.slice(offset, end),
  };
}
