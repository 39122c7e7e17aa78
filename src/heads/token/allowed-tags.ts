import { itemState, restriction, type TypeSets } from "../../text/index.ts";
import type { TokenItem } from "./items.ts";
import type { TagSet } from "./tag-set.ts";

/** What is known of the tokens of a sentence. */
export type KnownTokens = Pick<TokenItem, "states" | "tags" | "candidates">;
type Tags = Pick<TagSet, "size" | "typeOf" | "tags">;

/**
 * Whether the annotation leaves a tag to a token, before anything is made of silence: one where it names it, the same part
 * of several types where it names these, all where nobody spoke.
 */
export function isAllowed(
  { states, tags, candidates }: KnownTokens,
  { typeOf, tags: meanings }: Tags,
  sets: TypeSets,
  token: number,
  tag: number,
): boolean {
  const state = states[token]!;
  const { role } = meanings[tag]!;
  const named = candidates.get(token);
  if (named) return role === meanings[tags[token]!]!.role && named.includes(typeOf[tag]!);
  if (state > 0 || state === itemState.outside) return tag === tags[token];
  // It may be context of a window, where an entity goes on that the window holds the beginning of.
  if (state === itemState.excluded) return true;
  const goesOn = (type: number): boolean => candidates.get(token - 1)?.includes(type) ?? states[token - 1] === type + 1;
  // A label says where its entity ends. Where tags have no beginnings, what comes next may be another one.
  if (role === "I" && meanings.some((each) => each.role === "B") && goesOn(typeOf[tag]!)) return false;
  const excluded = restriction(state);
  return excluded === undefined || typeOf[tag]! < 0 || !sets.has(excluded, typeOf[tag]!);
}

/** The same for all tokens: 1 or 0, `[time, tags]`. */
export function allowedTags(known: KnownTokens, tagSet: Tags, sets: TypeSets): Float32Array {
  const { size } = tagSet;
  return Float32Array.from({ length: known.states.length * size }, (_, at) =>
    isAllowed(known, tagSet, sets, Math.floor(at / size), at % size) ? 1 : 0,
  );
}
