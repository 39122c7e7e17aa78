import { isComplete, type Sentence } from "../../text/index.ts";
import type { Estimate } from "./estimate.ts";
import { missingBySurface } from "./missing-by-surface.ts";
import { placeSentences } from "./placed.ts";
import { surfaceUses } from "./surface-uses.ts";

/** The share of entities that is missing from sentences, by what these tell alone. */
export function missingShare(sentences: readonly Sentence[]): Estimate {
  const open = placeSentences([{ text: "", sentences: sentences.filter((each) => !isComplete(each)) }]);
  return missingBySurface(
    open.map(({ value }) => value),
    surfaceUses(open),
  ).overall;
}
