import { add, mul, oneHot, sub, sum, type Tensor, unsqueeze } from "../tensor/index.ts";
import type { Chain } from "./chain.ts";
import { type ChainWeights, constrainedLogLikelihood, ends, logLikelihood, previous } from "./crf.ts";
import { widthOf } from "./layers.ts";

/** What the sentence's score forgets at a removed token; `kept` and `mask` are `[batch, time]`. */
const forgetting = {
  /** The emission and the transition into the token, as the equation of the paper reads. */
  literal: (kept: Tensor): ChainWeights => ({ emission: kept, entry: kept }),
  /** The emission alone. */
  emission: (kept: Tensor): ChainWeights => ({ emission: kept }),
  /** The emission and both transitions: the chain starts anew. */
  break: (kept: Tensor, mask: Tensor): ChainWeights => {
    const { first, last } = ends(mask);
    return {
      emission: kept,
      entry: mul(kept, add(previous(kept), first)),
      end: sum(mul(kept, last), { axes: 1 }),
    };
  },
};

/** `marginal` forgets nothing, and sums over the tags of removed tokens instead. */
export type RemovalMode = keyof typeof forgetting | "marginal";

export const removalModes: readonly RemovalMode[] = ["literal", "emission", "break", "marginal"];

/**
 * log p(tags | emissions) when tokens are taken out of the loss: `kept` is `[batch, time]`, 0 at removed tokens (the
 * two-step method). The removed tokens' tags in `tags` still count where a mode keeps a transition that touches them.
 * With `allowed`, the other tokens may have any of several tags.
 */
export function removalLogLikelihood(
  mode: RemovalMode,
  chain: Chain<Tensor>,
  emissions: Tensor,
  mask: Tensor,
  tags: Tensor,
  kept: Tensor,
  allowed?: Tensor,
): Tensor {
  if (mode !== "marginal") {
    const weights = forgetting[mode](kept, mask);
    return allowed
      ? constrainedLogLikelihood(chain, emissions, mask, allowed, weights)
      : logLikelihood(chain, emissions, mask, tags, weights);
  }
  const own = unsqueeze(kept, -1);
  const free = add(mul(allowed ?? oneHot(tags, widthOf(emissions)), own), sub(1, own));
  return constrainedLogLikelihood(chain, emissions, mask, free);
}
