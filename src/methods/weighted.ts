import type { Method } from "./method.ts";

/** Weighted negative sampling (Li, Liu and Shi): unknown spans that look like entities are drawn rarely. */
export const weighted: Method = {
  name: "weighted",
  description: "negative sampling that spares unknown spans which look like entities to the model",
  settings: { sampler: "weighted", objective: "cross-entropy" },
};
