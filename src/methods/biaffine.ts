import type { Method } from "./method.ts";

/** Biaffine spans (Yu, Bohnet and Poesio 2020): plain cross-entropy over all spans, with a bilinear form for each label. */
export const biaffine: Method = {
  name: "biaffine",
  description: "plain cross-entropy over spans that a bilinear form of first and last token scores",
  settings: {
    sampler: "all",
    objective: "cross-entropy",
    head: { scorer: "biaffine", hidden: 150, dropout: 0.2 },
  },
  // 256 tokens are a whole window of a sentence, so that no span is too wide.
  presets: {
    paper: {
      objective: { reduction: "sum" },
      head: { maxWidth: 256 },
      rate: 1e-3,
      schedule: "constant",
      warmup: 0,
      decay: 0,
    },
  },
};
