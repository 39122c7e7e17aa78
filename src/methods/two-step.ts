import type { Method } from "./method.ts";

/**
 * The two-step method with angle-based scores (paper 001): a short training finds the unlabelled tokens that look least
 * like O; the real one does without them, and calls some of the other text NON instead of O.
 */
export const twoStep: Method = {
  name: "two-step",
  description: "a token tagger that takes the tokens least like O out of training, then starts anew",
  settings: {
    sampler: "all",
    objective: "cross-entropy",
    model: { name: "token", head: "angle", non: { rate: 0.1 } },
    explore: { epochs: 2, remove: 0.0125, value: "angle" },
  },
  presets: { paper: { model: { non: { maxWidth: "none" } } } },
};
