import type { Adjustment } from "../../heads/index.ts";
import type { Sentence } from "../../text/index.ts";
import { type CorpusShares, normalised, openItems, taught } from "../teaching.ts";

export interface PseudoLabels {
  readonly adjustments: readonly Adjustment[];
  /** Items that train with a pseudo-label. */
  readonly kept: number;
  /** Items of which the teacher is not sure enough. */
  readonly left: number;
}

/**
 * Pseudo-labels q ∝ p² / f with f the sum of p over the items, label by label: surer than p, and fairer to rare labels.
 * What has no share above `sure` does not train.
 */
export function pseudoLabels(
  corpus: CorpusShares,
  sentences: readonly Sentence[],
  { sure, group }: { readonly sure: number; readonly group: number },
): PseudoLabels {
  const groupOf = (sentence: number): number => (group === 0 ? 0 : Math.floor(sentence / group));
  const frequencies = new Map<number, Float64Array>();
  corpus.sentences.forEach(({ shares }, sentence) => {
    const sums = frequencies.get(groupOf(sentence)) ?? new Float64Array(corpus.typeOf.length);
    frequencies.set(groupOf(sentence), sums);
    shares.forEach((share, at) => {
      sums[at % sums.length]! += share;
    });
  });
  const adjustments: Adjustment[] = [];
  let [kept, left] = [0, 0];
  for (const item of openItems(corpus, sentences)) {
    const { sentence, start, end, row } = item;
    const sums = frequencies.get(groupOf(sentence))!;
    const label = normalised(row.map((share, i) => (sums[i]! > 0 ? share ** 2 / sums[i]! : 0)));
    if (Math.max(...label) > sure) {
      kept++;
      adjustments.push(...taught(item, label));
    } else {
      left++;
      adjustments.push({ sentence, start, end, weight: 0 });
    }
  }
  return { adjustments, kept, left };
}
