import type { Sentence } from "../text/index.ts";
import type { Numbers } from "./numbers.ts";
import type { Vocabulary } from "./vocabulary.ts";
import type { FoundWord } from "./word-finder.ts";

/** The sets of words at a token: it begins them, is inside, ends them, is the word. */
export const wordSetCount = 4;

export interface WordSets {
  /** `[batch, words]`: the words of each sentence. */
  readonly ids: Numbers & { readonly data: Int32Array };
  /** `[batch, time, 4, words]`: the weight of each word in each set of each token. */
  readonly places: Numbers;
}

/** The words at each token in four sets, weighted by how often they occur; the weights of a token sum up to 4. */
export function wordSets(
  sentences: readonly Sentence[],
  time: number,
  find: (sentence: Sentence) => readonly FoundWord[],
  own: Pick<Vocabulary, "id">,
  weightOf: (word: string) => number,
): WordSets {
  const found = sentences.map(find);
  const count = found.reduce((most, matches) => Math.max(most, matches.length), 1);
  const ids = new Int32Array(sentences.length * count);
  const weights = new Float32Array(sentences.length * time * wordSetCount * count);
  found.forEach((matches, b) => {
    matches.forEach(({ word }, k) => {
      ids[b * count + k] = own.id(word);
    });
    const total = new Float64Array(time);
    for (const { start, end, word } of matches) for (let i = start; i < end; i++) total[i]! += weightOf(word);
    matches.forEach(({ start, end, word }, k) => {
      for (let i = start; i < end; i++) {
        const at = ((b * time + i) * wordSetCount + setOf(i, start, end)) * count + k;
        weights[at] = (wordSetCount * weightOf(word)) / total[i]!;
      }
    });
  });
  return {
    ids: { data: ids, shape: [sentences.length, count] },
    places: { data: weights, shape: [sentences.length, time, wordSetCount, count] },
  };
}

function setOf(token: number, start: number, end: number): number {
  if (end - start === 1) return 3;
  return token === start ? 0 : token === end - 1 ? 2 : 1;
}
