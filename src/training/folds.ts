import { type Sentence, tokenCount, tokenTexts } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { random, shuffled } from "../util/random.ts";

/**
 * Deals sentences to folds of like size: the number of the fold of each sentence. Sentences that are equal up to case go
 * to the same fold, or a model would be asked about what it was taught. A pure function of the words and the seed.
 */
export function foldsOf(sentences: readonly Sentence[], folds: number, seed: number): Int32Array {
  const groups = new Map<string, number[]>();
  sentences.forEach((sentence, number) => {
    const key = tokenTexts(sentence).join("\n").toLowerCase();
    const group = groups.get(key);
    if (group) group.push(number);
    else groups.set(key, [number]);
  });
  if (groups.size < folds)
    throw new InputError(`cross-fitting: ${folds} folds need as many different sentences, got ${groups.size}`);
  const result = new Int32Array(sentences.length);
  const sizes = new Array<number>(folds).fill(0);
  for (const group of shuffled([...groups.values()], random(seed, "folds"))) {
    const fold = sizes.indexOf(Math.min(...sizes));
    for (const number of group) {
      result[number] = fold;
      // A sentence without tokens still counts, so that no fold stays empty.
      sizes[fold]! += 1 + tokenCount(sentences[number]!);
    }
  }
  return result;
}
