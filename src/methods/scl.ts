import type { SettingsInput } from "../training/index.ts";
import type { Method } from "./method.ts";

/** Scorer and optimiser of the publication, the same in text and code. */
const published = {
  head: { scorer: "product", hidden: 256, dropout: 0.4 },
  encoderRate: 1e-5,
  clip: 1.5,
  epochs: 41,
};

/** The paper's readings of the training; the authors' code divides by a constant (100 for e-commerce, 1000 for news). */
export const sclPresets: Readonly<Record<"paper" | "code", SettingsInput>> = {
  paper: { ...published, contrastive: { denominator: "negatives", scale: 1 } },
  code: { ...published, sampler: { count: "floor+1" }, contrastive: { denominator: "all", scale: 100 } },
};

/** Span-based contrastive learning (Si et al.): hidden states of one label are pulled together beside the objective. */
export const scl: Method = {
  name: "scl",
  description: "negative sampling, and a contrastive loss that pulls spans of one label together",
  settings: { sampler: "uniform", objective: "cross-entropy", contrastive: { weight: 0.1 } },
  presets: sclPresets,
};
