import type { Method } from "./method.ts";

/** Negative sampling (Li, Liu and Shi): a few unknown spans, drawn anew at every visit, serve as negatives. */
export const uniform: Method = {
  name: "uniform",
  description: "negative sampling: ⌈λn⌉ random unknown spans of a sentence are the negatives of a visit",
  settings: { sampler: "uniform", objective: "cross-entropy" },
};
