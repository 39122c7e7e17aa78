import type { Method } from "./method.ts";
import { scl, sclPresets } from "./scl.ts";

/** SCL-RAI (Si et al.): contrastive training, and prediction together with the centroids of the labels. */
export const sclRai: Method = {
  name: "scl-rai",
  description: "contrastive training, and prediction that also asks how near a span is to each label's centroid",
  settings: { ...scl.settings, inference: "retrieval" },
  presets: {
    paper: { ...sclPresets.paper, inference: { alpha: 0.5, mix: "prob" } },
    code: { ...sclPresets.code, inference: { alpha: 0.5, mix: "log" } },
  },
};
