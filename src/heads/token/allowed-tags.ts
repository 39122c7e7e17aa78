import { itemState, restriction, type TypeSets } from "../../text/index.ts";
import type { TagSet } from "./tag-set.ts";

/**
 * The tags that the annotation leaves to each token, 1 or 0, `[time, tags]`, before anything is made of silence: one where
 * it names it, all where nobody spoke.
 */
export function allowedTags(
  states: Int16Array,
  tags: Int32Array,
  { size, typeOf }: Pick<TagSet, "size" | "typeOf">,
  sets: TypeSets,
): Float32Array {
  const isAllowed = (token: number, tag: number): boolean => {
    const state = states[token]!;
    if (state > 0 || state === itemState.outside) return tag === tags[token];
    const excluded = restriction(state);
    return excluded === undefined || typeOf[tag]! < 0 || !sets.has(excluded, typeOf[tag]!);
  };
  return Float32Array.from({ length: states.length * size }, (_, at) =>
    isAllowed(Math.floor(at / size), at % size) ? 1 : 0,
  );
}
