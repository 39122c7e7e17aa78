import type { Sentence } from "../text/index.ts";
import { isUnspaced } from "../text/index.ts";

/** How often words stand in small letters in a text. */
export interface SmallWords {
  add(sentence: Sentence): void;
  /** How often a word stands in small letters. */
  of(word: string): number;
  /** Tokens in all. */
  readonly tokens: number;
}

/** More different words than this are not counted: what is frequent has been seen by then. */
const mostWords = 1 << 17;

export function smallWords(): SmallWords {
  const counts = new Map<string, number>();
  let tokens = 0;
  return {
    add({ text, offsets }) {
      tokens += offsets.length >> 1;
      for (let i = 0; i < offsets.length; i += 2) {
        const first = text.charCodeAt(offsets[i]!);
        // Small letters: a to z, and beyond ASCII whatever has a capital.
        if (first < 0x61 || (first > 0x7a && first < 0xdf)) continue;
        const word = text.slice(offsets[i], offsets[i + 1]);
        const known = counts.get(word);
        if (known !== undefined) counts.set(word, known + 1);
        else if (counts.size < mostWords) counts.set(word, 1);
      }
    },
    of: (word) => counts.get(word) ?? 0,
    get tokens() {
      return tokens;
    },
  };
}

/**
 * A word in small letters that is one in so many of a text is hardly a name, and a capital at the beginning of sentences
 * needs less. In a short text a name may be as frequent.
 */
const common = { share: 500, titleShare: 1000, leastTokens: 2000 };

/** Why the labels of a surface are likely to be wrong; `undefined` when nothing speaks against them. */
export function suspicion(
  surface: string,
  labels: number,
  words: SmallWords,
  { foldsCase }: { readonly foldsCase: boolean },
): string | undefined {
  const small = surface.toLowerCase();
  const count = /\s/u.test(surface) ? 0 : words.of(small);
  const isOneIn = (share: number): boolean => count * share >= words.tokens;
  if (surface === small || foldsCase) {
    if (words.tokens >= common.leastTokens && isOneIn(common.share)) {
      return `a common word? one of every ${Math.round(words.tokens / count)} in the text`;
    }
  } else if (surface.slice(1) === small.slice(1) && count > labels && isOneIn(common.titleShare)) {
    // "US" is not "us" where case counts, but "At" begins sentences.
    return `a common word? "${small}" stands ${times(count)} in small letters`;
  }
  if (/^[\p{N}\p{P}\p{S}\s]+$/u.test(surface)) return "no letter in it";
  const length = [...surface].length;
  const shortest = isUnspaced(surface.codePointAt(0)!) ? 1 : 2;
  return length <= shortest ? `only ${length} character${length === 1 ? "" : "s"}` : undefined;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count.toLocaleString("en-GB")} times`;
}
