import type { Method } from "./method.ts";

const published = {
  head: { scorer: "width", hidden: 150, dropout: 0.2, maxWidth: 8 },
  objective: { reduction: "sum" },
  decode: { overlap: "all" },
  rate: 5e-4,
  encoderRate: 1e-5,
  decay: 0,
  schedule: "constant",
  warmup: 0,
  evaluations: 2,
};

/** Top-Neg (Xu, Bing and Lu): only the unknown spans that are most like labelled entities serve as negatives. */
export const topNeg: Method = {
  name: "top-neg",
  description: "the unknown spans of a batch that are most like its entities are the negatives",
  settings: { sampler: "top-similarity", objective: "cross-entropy" },
  presets: {
    paper: { ...published, sampler: { on: "span" } },
    code: published,
  },
};
