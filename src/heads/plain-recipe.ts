import { InputError } from "../util/errors.ts";
import type { Corpus, RecipeNames } from "./head.ts";

/** Refuses all but plain training, for heads whose losses are their own. */
export function refuseOtherRecipes(head: string, { sampler, objective, contrastive, inference }: RecipeNames): void {
  const expect = (part: string, wanted: string, given: string): void => {
    if (given !== wanted) throw new InputError(`head ${head}: ${part} must be "${wanted}", got "${given}"`);
  };
  expect("sampler", "all", sampler);
  expect("objective", "cross-entropy", objective);
  expect("inference", "plain", inference);
  if (contrastive) throw new InputError(`head ${head}: takes no contrastive loss; set contrastive.weight=0`);
}

/** Refuses weights and targets of single spans, for heads whose losses are not those of spans. */
export function refuseAdjustments(head: string, { adjustments = [] }: Corpus): void {
  if (adjustments.length > 0)
    throw new InputError(`head ${head}: weights or targets of single spans cannot train it (known: span, token)`);
}
