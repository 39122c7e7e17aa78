import { offsetMap } from "../text/index.ts";
import type { EntityAnswer, Offsets } from "./schemas.ts";
import type { Tagged } from "./tagger.ts";

/** The entities of a text in the shape of the answer. */
export function answerOf(
  { entities }: Tagged,
  text: string,
  offsets: Offsets,
  ignored: readonly string[] = [],
): EntityAnswer[] {
  const kept = ignored.length === 0 ? entities : entities.filter(({ type }) => !ignored.includes(type));
  const convert = kept.length > 0 && offsets === "code-points" ? offsetMap(text, "code-point").fromUtf16 : same;
  return kept.map(({ start, end, text: word, type, score }) => ({
    entity_group: type,
    score,
    word,
    start: convert(start),
    end: convert(end),
  }));
}

function same(offset: number): number {
  return offset;
}
