import { buildMatcher, type Matcher } from "../lexicon/pure.ts";
import type { Sentence, Span } from "../text/index.ts";

/** Spaces between tokens say nothing in the scripts for which words are looked up, and Latin letters come in all forms. */
const folding = { case: true, width: true, whitespace: "ignore" } as const;

/** A word of a list at a range of tokens. */
export interface FoundWord extends Span {
  readonly word: string;
}

/** All words of a list in a sentence, also those that overlap, by start and then by end. */
export function wordFinder(words: readonly string[]): (sentence: Pick<Sentence, "text" | "offsets">) => FoundWord[] {
  const matcher: Matcher = buildMatcher(
    words.map((surface) => ({ surface, dictionary: "words" })),
    { folding },
  );
  const surfaces = new Map<number, string>();
  const surfaceOf = (key: number): string => {
    const known = surfaces.get(key) ?? matcher.entries(key)[0]!.surface;
    surfaces.set(key, known);
    return known;
  };
  return (sentence) => matcher.find(sentence).map(({ start, end, key }) => ({ start, end, word: surfaceOf(key) }));
}
