import type { Method } from "./method.ts";

/** Entities as answers (Li et al. 2020): a query for each type, and where its answers start and end. */
export const mrc: Method = {
  name: "mrc",
  description: "asks for each type where entities start and end; text without a label holds none",
  settings: { sampler: "all", objective: "cross-entropy", head: { name: "mrc" } },
  presets: {
    paper: { head: { query: "read", weights: { match: 1 } } },
    // The authors' run on CoNLL03, where one rate holds for all weights.
    code: {
      head: { query: "read", hidden: 768, dropout: 0.1 },
      rate: 1e-5,
      encoderRate: 1e-5,
      warmup: 0,
      clip: 1,
      epochs: 10,
    },
  },
};
