import type { Method } from "./method.ts";

/** Entities as answers (Li et al. 2020): a query for each type, and where its answers start and end. */
export const mrc: Method = {
  name: "mrc",
  description: "asks for each type where entities start and end; text without a label holds none",
  settings: { sampler: "all", objective: "cross-entropy", head: { name: "mrc" } },
  presets: {
    paper: { head: { query: "read", weights: { match: 1 } } },
    code: { head: { query: "read" } },
  },
};
