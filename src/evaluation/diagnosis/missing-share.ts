import { isComplete, type Sentence } from "../../text/index.ts";
import type { Estimate, MissingEstimates } from "./estimate.ts";
import { missingBySurface } from "./missing-by-surface.ts";
import { placeSentences } from "./placed.ts";
import { surfaceUses } from "./surface-uses.ts";

/** The share of entities that is missing from sentences, by what these tell alone. */
export function missingShare(sentences: readonly Sentence[]): Estimate {
  return missingShares(sentences).overall;
}

/** The same with an estimate for each type. */
export function missingShares(sentences: readonly Sentence[]): MissingEstimates {
  const open = placeSentences([{ text: "", sentences: sentences.filter((each) => !isComplete(each)) }]);
  return missingBySurface(
    open.map(({ value }) => value),
    surfaceUses(open),
  );
}
