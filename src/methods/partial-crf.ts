import type { Method } from "./method.ts";

/**
 * The partial or fuzzy CRF (Tsuboi et al. 2008; Yang et al. 2018; Shang et al. 2018): a token of which nobody spoke may
 * have any tag, and the loss sums over all sequences that the annotation allows.
 */
export const partialCrf: Method = {
  name: "partial-crf",
  description: "a token tagger with a CRF that leaves the tags of unknown tokens open",
  settings: { sampler: "all", objective: "cross-entropy", head: { name: "token", output: "crf", unknown: "any" } },
  presets: { paper: { head: { dropout: 0.2 }, schedule: "constant", warmup: 0, decay: 0 } },
};
