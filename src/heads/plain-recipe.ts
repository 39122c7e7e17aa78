import { InputError } from "../util/errors.ts";
import type { RecipeNames } from "./head.ts";

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
