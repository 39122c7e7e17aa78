import type { DictionaryLookup } from "../audit/index.ts";
import type { Matcher } from "../lexicon/index.ts";

/** What a dictionary says of the spans of a sentence. */
export function dictionaryLookup(matcher: Matcher): DictionaryLookup {
  return (sentence) =>
    matcher.find(sentence).flatMap(({ start, end, key }) => {
      if (matcher.isRefused(key)) return [];
      return [{ start, end, types: matcher.types(key), dictionary: matcher.entries(key)[0]!.dictionary }];
    });
}
