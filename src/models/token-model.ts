import { z } from "zod";
import type { Encoded, Encoder } from "../encoders/index.ts";
import {
  angles,
  type Chain,
  chainScores,
  constrainedLogLikelihood,
  crf,
  dropout,
  legalChain,
  linear,
  logLikelihood,
  marginals,
  type Noise,
  type ParameterStore,
  Parameters,
  type RemovalMode,
  removalLogLikelihood,
  removalModes,
  tagOrAny,
} from "../nn/index.ts";
import type { Objective, Reduction } from "../objectives/index.ts";
import { input, mean, neg, softmax, sum, type Tensor, uniform } from "../tensor/index.ts";
import { keyOf } from "../util/random.ts";
import type { Model } from "./model.ts";
import { type TagScheme, type TagSet, tagSchemes, tagSet } from "./tag-set.ts";

export const tokenModelSettings = z.strictObject({
  name: z.literal("token"),
  /** How entities are written as tags. */
  scheme: z.enum(Object.keys(tagSchemes) as [TagScheme, ...TagScheme[]]).default("bio"),
  /** `linear`: a score for each tag; `angle`: products with the corners of a simplex, which sum to 0. */
  head: z.enum(["linear", "angle"]).default("linear"),
  /** `crf`: the tags of a sentence depend on one another; `softmax`: each token on its own. */
  output: z.enum(["crf", "softmax"]).default("crf"),
  /** Of the token vectors. */
  dropout: z.number().min(0).lt(1).default(0.5),
  /** What a token trains of which nobody spoke: `outside` is O, `any` leaves its tag open. */
  unknown: z.enum(["outside", "any"]).default("outside"),
  /** What the score of a sentence forgets at a token that was taken out of training (`crf` only). */
  removal: z.enum(removalModes as [RemovalMode, ...RemovalMode[]]).default("literal"),
  /** One more type, NON, for spans without an entity that are drawn anew in each epoch; prediction takes it for O. */
  non: z
    .strictObject({
      /** Spans per token of a sentence, rounded up; 0 does without the type. */
      rate: z.number().min(0).default(0),
      /** The widest drawn span in tokens. */
      maxWidth: z.union([z.literal("none"), z.int().min(1)]).default(10),
    })
    .prefault({}),
});
export type TokenModelSettings = Omit<z.output<typeof tokenModelSettings>, "name">;

/** Which tensors the training graph has, beside tags: none that no batch needs. */
export interface TokenTrainingOptions {
  readonly objective: Objective;
  /** Of the sentences' log-likelihoods under `crf`. */
  readonly reduction: Reduction;
  /** Some tokens' tags are open. */
  readonly open: boolean;
  /** Some tokens are taken out. */
  readonly removed: boolean;
}

/** Scores `[batch, time, tags]` of tokens without dropout, and the probabilities of their tags. */
export interface TokenPrediction {
  readonly logits: Tensor;
  readonly probabilities: Tensor;
}

/** An encoder and a classifier of tokens. Tag 0 is O. */
export interface TokenModel extends Model {
  readonly kind: "token";
  readonly settings: TokenModelSettings;
  readonly tagSet: TagSet;
  /** The loss of a training step. */
  training(options: TokenTrainingOptions): Tensor;
  /** The graph of prediction. */
  prediction(): TokenPrediction;
  /** The scores with which the best sequence is looked for, beside those of the tokens. */
  chain(store: ParameterStore): Chain<ArrayLike<number>>;
}

const chainName = "token.chain";

export function tokenModel(encoder: Encoder, types: readonly string[], settings: TokenModelSettings): TokenModel {
  const params = new Parameters();
  const tags = tagSet(types, settings.scheme, { extra: settings.non.rate > 0 });
  const { legal, size } = tags;
  const head = settings.head === "angle" ? angles : linear;
  const score = (noise: Noise | undefined): { encoded: Encoded; hidden: Tensor; logits: Tensor } => {
    const encoded = encoder.build(params, { noise });
    const hidden = dropout(encoded.first, settings.dropout, noise, "token");
    return { encoded, hidden, logits: head(params, "token.tags", hidden, size) };
  };
  const chain = (): Chain<Tensor> => crf(params, chainName, size, { legal });
  const model: TokenModel = {
    kind: "token",
    encoder,
    types,
    settings,
    params,
    facts: [["tags", `${settings.scheme}, ${settings.output}${settings.head === "angle" ? ", angle-based" : ""}`]],
    tagSet: tags,
    training(options) {
      const noise = { keys: input("noise", "int32", ["batch"]) };
      const { encoded, hidden, logits } = score(noise);
      if (settings.output === "crf") return sentenceLoss(chain(), logits, encoded.mask, settings.removal, options);
      return options.objective.loss({
        logits,
        hidden,
        labels: tagInput(),
        weights: input("token.weights", "float32", ["batch", "time"]),
        epoch: input("epoch", "float32", []),
        noise: uniform(noise.keys, ["time"], keyOf(0, "objective")),
      });
    },
    prediction() {
      const { encoded, logits } = score(undefined);
      const isChain = settings.output === "crf";
      return { logits, probabilities: isChain ? marginals(chain(), logits, encoded.mask) : softmax(logits) };
    },
    chain: (store) => (settings.output === "crf" ? chainScores(store, chainName, { legal }) : legalChain(size, legal)),
  };
  model.prediction(); // declares every parameter, so that they exist before the first step
  return model;
}

function tagInput(): Tensor {
  return input("token.labels", "int32", ["batch", "time"]);
}

/** Minus the log-likelihood of the tags of a sentence, in the mean of the sentences or summed. */
function sentenceLoss(
  chain: Chain<Tensor>,
  logits: Tensor,
  mask: Tensor,
  mode: RemovalMode,
  { open: some, removed, reduction }: TokenTrainingOptions,
): Tensor {
  const labels = tagInput();
  const flags = (name: string): Tensor => input(name, "float32", ["batch", "time"]);
  const open = some ? flags("token.open") : undefined;
  const likelihoods = removed
    ? removalLogLikelihood(mode, chain, logits, mask, labels, flags("token.kept"), open)
    : open
      ? constrainedLogLikelihood(chain, logits, mask, tagOrAny(labels, open, logits.shape.at(-1) as number))
      : logLikelihood(chain, logits, mask, labels);
  return neg(reduction === "sum" ? sum(likelihoods) : mean(likelihoods));
}
