import type { Method } from "./method.ts";

/** NRCES (Kang, Zhang and Fu): half of the unknown spans are negatives, whose loss soon cannot grow any more. */
export const nrces: Method = {
  name: "nrces",
  description: "half of the unknown spans are negatives, with a loss that false negatives cannot dominate",
  settings: { sampler: "fraction", objective: "nrces" },
  presets: {
    paper: {
      head: { scorer: "width", hidden: 150, dropout: 0.2, maxWidth: 10 },
      objective: { sign: "plus", reduction: "sum" },
      decode: { overlap: "all" },
      rate: 5e-4,
      encoderRate: 2e-5,
    },
  },
};
