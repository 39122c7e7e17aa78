import { isCandidate, itemState, restriction, type TypeSets } from "../../text/index.ts";
import { random } from "../../util/random.ts";
import { drawCount } from "../../util/span-counts.ts";
import type { Visit } from "../head.ts";
import { isAllowed } from "./allowed-tags.ts";
import { drawFreeSpans } from "./free-spans.ts";
import type { TokenItem } from "./items.ts";
import type { TokenSettings } from "./settings.ts";
import type { TagSet } from "./tag-set.ts";

/** What the tokens of an item do in a step. */
export interface TokenRoles {
  /** Its tag, or NON's. */
  readonly tags: Int32Array;
  /** Where there are several tags: ones for those that are allowed, or what a teacher says of them. By token. */
  readonly shares: ReadonlyMap<number, Float32Array>;
  /** Tokens whose shares are a teacher's. */
  readonly taught: ReadonlySet<number>;
  /** How much each token weighs. In a chain, where a token weighs all or nothing, every tag will do at an open one. */
  readonly weights: Float32Array;
  /** 0 where a token is taken out. */
  readonly kept: Float32Array;
}

export interface RoleOptions {
  readonly tagSet: TagSet;
  readonly sets: TypeSets;
  readonly settings: TokenSettings;
}

/** Which tensors a training graph has beside tags and weights: none that the data do not need. */
export interface TokenSupervision {
  /** Some tokens may have several tags. */
  readonly constrained: boolean;
  /** Some tokens have targets of a teacher. */
  readonly soft: boolean;
  /** Some tokens are taken out. */
  readonly removed: boolean;
  /** The objective asks for what the annotation leaves open. */
  readonly open?: boolean;
}

export function tokenSupervision(items: readonly TokenItem[], options: RoleOptions): TokenSupervision {
  const visit = { seed: 0, epoch: 0 };
  const plain = { ...options, settings: { ...options.settings, non: { ...options.settings.non, rate: 0 } } };
  const roles = items.map((item) => tokenRoles(item, plain, visit));
  return {
    constrained: roles.some(({ shares }) => shares.size > 0),
    soft: roles.some(({ taught }) => taught.size > 0),
    removed: roles.some(({ kept }) => kept.includes(0)),
  };
}

/** The tags of a sentence at one visit. */
export function tokenRoles(item: TokenItem, options: RoleOptions, { seed, epoch }: Visit): TokenRoles {
  const { id, states, tags: given } = item;
  const { tagSet, settings } = options;
  const length = states.length;
  const shares = new Map<number, Float32Array>();
  const taught = new Set<number>();
  const weights = new Float32Array(length).fill(1);
  const kept = new Float32Array(length).fill(1);
  states.forEach((_, token) => {
    const found = sharesAt(item, token, options);
    if (found === "taken out") kept[token] = 0;
    else if (found) shares.set(token, found.tags);
    if (item.adjusted?.get(token)?.target) taught.add(token);
    weights[token] = found === "taken out" ? 0 : (found?.weight ?? item.adjusted?.get(token)?.weight ?? 1);
  });
  const tags = given.slice();
  if (settings.non.rate > 0) {
    const isOutside = (token: number): boolean => !shares.has(token) && kept[token] === 1 && given[token] === 0;
    const rng = random(seed, "non", epoch, id);
    const maxWidth = settings.non.maxWidth === "none" ? length : settings.non.maxWidth;
    const spans = drawFreeSpans(length, isOutside, drawCount(settings.non.rate, length), { maxWidth, rng });
    const drawn = tagSet.encodeExtra(length, spans);
    for (const { start, end } of spans) tags.set(drawn.subarray(start, end), start);
  }
  return { tags, shares, taught, weights, kept };
}

/** The tags that a token may have, where that is not just its own; nothing otherwise. */
function sharesAt(
  item: TokenItem,
  token: number,
  { tagSet, sets, settings }: RoleOptions,
): { readonly tags: Float32Array; readonly weight: number } | "taken out" | undefined {
  const state = item.states[token]!;
  const change = item.adjusted?.get(token);
  const weight = change?.weight ?? 1;
  if (change?.target) return { tags: Float32Array.from(change.target), weight };
  if (change?.allowed)
    return { tags: Float32Array.from(tagSet.tags, (_, tag) => (change.allowed!.includes(tag) ? 1 : 0)), weight };
  const openShare = settings.unknown === "any" ? settings.prior : 1;
  const left = (share: number): Float32Array =>
    Float32Array.from(tagSet.typeOf, (type, tag) =>
      isAllowed(item, tagSet, sets, token, tag) ? (type >= 0 ? share : 1) : 0,
    );
  if (item.candidates.has(token)) return { tags: left(1), weight };
  const isRemoved = weight === 0 && isCandidate(state);
  const isRestricted = restriction(state) !== undefined;
  // What is known of it still trains.
  if (isRestricted && (isRemoved || settings.unknown === "any"))
    return { tags: left(openShare), weight: isRemoved ? 1 : weight };
  if (isRemoved) return "taken out";
  if (state === itemState.excluded || weight === 0) return { tags: new Float32Array(tagSet.size).fill(1), weight: 0 };
  if (state !== itemState.unknown || settings.unknown !== "any") return undefined;
  return { tags: left(openShare), weight: 0 };
}
