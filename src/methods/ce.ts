import type { Method } from "./method.ts";

/** Plain cross-entropy over all spans: the baseline that takes silence for "not an entity". */
export const ce: Method = {
  name: "ce",
  description: "plain cross-entropy; every span without a label is a negative",
  settings: { sampler: "all", objective: "cross-entropy" },
};
