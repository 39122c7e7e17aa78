import { z } from "zod";
import type { Prepared, Settings, Stage, StageContext } from "../../training/index.ts";
import { InputError } from "../../util/errors.ts";
import { keyOf } from "../../util/random.ts";
import type { Method } from "../method.ts";
import { outsideValues, valueKinds } from "./outside-values.ts";
import { describeRemoved, smallestValues } from "./removed-tokens.ts";

/** A short training before the real one, to find tokens that are no safe negatives; then the model starts anew. */
export const exploreSettings = z.strictObject({
  /** Epochs of the first training; 0 does without it. */
  epochs: z.int().min(0).default(2),
  /** The share of unknown tokens, those least like O, that is taken out of the real training; 0 does without. */
  remove: z.number().min(0).max(1).default(0.0125),
  /** How O-like a token is: O's score as the angle-based head has it, less the mean of all tags, as log-probability, or as it is. */
  value: z.enum(valueKinds).default("angle"),
});
export type ExploreSettings = z.output<typeof exploreSettings>;

/**
 * Two-step positive-unlabelled learning with angle-based scores: a short training finds the unlabelled tokens that look least
 * like O; the real one does without them, and calls some of the other text NON instead of O.
 */
export const twoStep: Method<{ readonly explore: ExploreSettings }> = {
  name: "two-step",
  description: "a token tagger that takes the tokens least like O out of training, then starts anew",
  settings: {
    sampler: "all",
    objective: "cross-entropy",
    head: { name: "token", scores: "angle", non: { rate: 0.1 } },
  },
  presets: { paper: { head: { non: { maxWidth: "none" } } } },
  sections: { explore: exploreSettings.prefault({}) },
  stages(settings) {
    const { explore, head } = settings;
    if (head.name !== "token")
      throw new InputError(
        `method two-step: takes single tokens out of training, so head must be "token", got "${head.name}"`,
      );
    if (explore.epochs === 0 || explore.remove === 0) return [{ name: "train", settings }];
    if (explore.value === "angle" && head.scores !== "angle")
      throw new InputError(
        'method two-step: explore.value "angle" needs head.scores=angle, got linear (others: centered, logprob, raw)',
      );
    return [
      exploration(settings, explore),
      { name: "train", settings, prepare: (context) => removal(context, settings) },
    ];
  },
};

/** A short training with other randomness; what is looked for is how the plain model sees the tokens. */
function exploration(settings: Settings, { epochs }: ExploreSettings): Stage {
  const { head } = settings;
  return {
    name: "explore",
    withoutDev: true,
    settings: {
      ...settings,
      epochs,
      patience: 0,
      evaluations: 1,
      seed: keyOf(settings.seed, "explore"),
      head: head.name === "token" ? { ...head, non: { ...head.non, rate: 0 } } : head,
    },
  };
}

/** Takes the unknown tokens that the first model takes least for O out of training. */
async function removal(
  { data, scorer: open }: StageContext,
  { explore, head }: Settings & { readonly explore: ExploreSettings },
): Promise<Prepared> {
  // A tagger that leaves the tags of unknown tokens open trains none of them as O.
  const isOpen = head.name === "token" && head.unknown === "any";
  const scorer = await open("explore");
  try {
    const values = await outsideValues(scorer, isOpen ? [] : data.train, explore.value);
    const removed = smallestValues(values, explore.remove);
    const unknown = values.values.length;
    return {
      adjustments: removed.map(({ sentence, token }) => ({ sentence, start: token, end: token + 1, weight: 0 })),
      summary: describeRemoval(removed.length, unknown),
      facts: { removedTokens: removed.length, unknownTokens: unknown },
      files: { [removedFile]: describeRemoved(removed, data.train) },
    };
  } finally {
    await scorer.dispose();
  }
}

function describeRemoval(removed: number, unknown: number): string {
  const tokens = unknown === 1 ? "token" : "tokens";
  return `${removed} of ${unknown} ${tokens} without a label ${removed === 1 ? "is" : "are"} taken out of training; the model starts anew`;
}

/** The list of tokens that were taken out of training, beside the model. */
const removedFile = "removed.jsonl";

export { outsideValues, type ValueKind } from "./outside-values.ts";
export { ascending, type OutsideValues, removedCount } from "./removed-tokens.ts";
