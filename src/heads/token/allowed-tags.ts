import { itemState, restriction, type TypeSets } from "../../text/index.ts";
import type { TagSet } from "./tag-set.ts";

/**
 * The tags that the annotation leaves to each token, 1 or 0, `[time, tags]`, before anything is made of silence: one where
 * it names it, all where nobody spoke.
 */
export function allowedTags(
  states: Int16Array,
  tags: Int32Array,
  { size, typeOf, tags: meanings }: Pick<TagSet, "size" | "typeOf" | "tags">,
  sets: TypeSets,
): Float32Array {
  const hasBeginnings = meanings.some(({ role }) => role === "B");
  // A label says where its entity ends: what comes after it does not go on with it.
  const goesOn = (token: number, tag: number): boolean =>
    hasBeginnings && meanings[tag]!.role === "I" && states[token - 1] === typeOf[tag]! + 1;
  const isAllowed = (token: number, tag: number): boolean => {
    const state = states[token]!;
    if (state > 0 || state === itemState.outside) return tag === tags[token];
    if (goesOn(token, tag)) return false;
    const excluded = restriction(state);
    return excluded === undefined || typeOf[tag]! < 0 || !sets.has(excluded, typeOf[tag]!);
  };
  return Float32Array.from({ length: states.length * size }, (_, at) =>
    isAllowed(Math.floor(at / size), at % size) ? 1 : 0,
  );
}
