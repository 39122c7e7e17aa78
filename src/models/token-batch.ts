import type { Entity, Sentence } from "../text/index.ts";
import { keyOf, random } from "../util/random.ts";
import { drawCount } from "../util/span-counts.ts";
import type { Batch, BatchCounts, Visit } from "./batch.ts";
import { drawFreeSpans } from "./non-spans.ts";
import { longest } from "./span-grid.ts";
import type { TokenModel } from "./token-model.ts";
import { isOpen, tokenState } from "./token-states.ts";

/** A sentence, or a window of a long one, ready for training. */
export interface TokenItem {
  /** Its number: the key of all randomness about it. */
  readonly id: number;
  readonly sentence: Sentence;
  /** Where it stands in the corpus: number of the sentence, and of its first token there. */
  readonly place: { readonly sentence: number; readonly offset: number };
  /** Entities within it, which do not overlap. */
  readonly entities: readonly Entity[];
  /** A `tokenState` for each token. */
  readonly states: Int8Array;
  /** The tag of each token, 0 where it is in no entity. */
  readonly tags: Int32Array;
  /** 1 for tokens that are taken out of training. */
  readonly removed?: Uint8Array | undefined;
  /** 1 for tokens of entities that were hidden on purpose. */
  readonly hidden?: Uint8Array | undefined;
}

/** What a token does in a step. */
export interface TokenRoles {
  /** Its tag, or NON's. */
  readonly tags: Int32Array;
  /** 1 where every tag will do. */
  readonly open: Float32Array;
  /** 0 where a token is taken out. */
  readonly kept: Float32Array;
}

/** The tags of a sentence at one visit. */
export function tokenRoles(
  { id, states, tags: given, removed }: TokenItem,
  { tagSet, settings: { unknown, non } }: Pick<TokenModel, "tagSet" | "settings">,
  { seed, epoch }: Visit,
): TokenRoles {
  const length = states.length;
  const open = Float32Array.from(states, (state) => (isOpen(state, unknown) ? 1 : 0));
  const isOutside = (token: number): boolean => !open[token] && !removed?.[token] && given[token] === 0;
  const tags = given.slice();
  if (non.rate > 0) {
    const rng = random(seed, "non", epoch, id);
    const maxWidth = non.maxWidth === "none" ? length : non.maxWidth;
    const spans = drawFreeSpans(length, isOutside, drawCount(non.rate, length), { maxWidth, rng });
    const drawn = tagSet.encodeExtra(length, spans);
    for (const { start, end } of spans) tags.set(drawn.subarray(start, end), start);
  }
  return { tags, open, kept: Float32Array.from(states, (_, token) => (removed?.[token] ? 0 : 1)) };
}

export function tokenBatch(
  items: readonly TokenItem[],
  model: TokenModel,
  visit: Visit,
): { readonly batch: Batch; readonly counts: BatchCounts } {
  const sentences = items.map(({ sentence }) => sentence);
  const { feeds, lookups } = model.encoder.batch(sentences);
  const roles = items.map((item) => tokenRoles(item, model, visit));
  const time = longest(sentences);
  const shape = [items.length, time];
  const size = items.length * time;
  const arrays = {
    labels: new Int32Array(size),
    open: new Float32Array(size),
    kept: new Float32Array(size),
    weights: new Float32Array(size),
  };
  roles.forEach(({ tags, open, kept }, b) => {
    arrays.labels.set(tags, b * time);
    arrays.open.set(open, b * time);
    arrays.kept.set(kept, b * time);
    arrays.weights.set(
      kept.map((keep, token) => keep * (1 - open[token]!)),
      b * time,
    );
  });
  const keys = items.map(({ id }) => keyOf(visit.seed, "dropout", visit.epoch, id) | 0);
  return {
    counts: countTokens(items, roles),
    batch: {
      lookups,
      feeds: {
        ...feeds,
        ...Object.fromEntries(Object.entries(arrays).map(([name, data]) => [`token.${name}`, { data, shape }])),
        noise: { data: Int32Array.from(keys), shape: [items.length] },
        epoch: { data: Float32Array.of(visit.epoch), shape: [] },
      },
    },
  };
}

/** Negatives are unknown tokens that train as no part of an entity, under O or NON. */
function countTokens(items: readonly TokenItem[], roles: readonly TokenRoles[]): BatchCounts {
  let [tokens, positives, negatives, missampled] = [0, 0, 0, 0];
  items.forEach(({ states, entities, hidden }, b) => {
    const { open, kept } = roles[b]!;
    tokens += states.length;
    positives += entities.length;
    states.forEach((state, token) => {
      if (state !== tokenState.unknown || open[token] || !kept[token]) return;
      negatives++;
      if (hidden?.[token]) missampled++;
    });
  });
  return { tokens, positives, negatives, missampled };
}
