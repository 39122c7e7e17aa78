import type { Encoded, Encoder } from "../../encoders/index.ts";
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
  removalLogLikelihood,
} from "../../nn/index.ts";
import type { Objective } from "../../objectives/index.ts";
import { add, input, log, logSoftmax, mean, mul, neg, sub, sum, type Tensor, uniform } from "../../tensor/index.ts";
import { keyOf } from "../../util/random.ts";
import type { Model } from "../head.ts";
import { tagCandidates } from "./candidates.ts";
import { tokenCompletion } from "./completion.ts";
import type { TokenSupervision } from "./roles.ts";
import type { TokenSettings } from "./settings.ts";
import { tokenStates } from "./states.ts";
import { type TagSet, tagSet } from "./tag-set.ts";
import { tokensOf } from "./tokens-of.ts";

export interface TokenTrainingOptions {
  readonly objective: Objective;
  readonly supervision: TokenSupervision;
}

/** An encoder and a classifier of tokens. Tag 0 is O. */
export interface TokenModel extends Model {
  readonly settings: TokenSettings;
  readonly tagSet: TagSet;
  /** The loss of a training step. */
  training(options: TokenTrainingOptions): Tensor;
}

const chainName = "token.chain";

export function tokenModel(encoder: Encoder, types: readonly string[], settings: TokenSettings): TokenModel {
  const params = new Parameters();
  const tags = tagSet(types, settings.scheme, { extra: settings.non.rate > 0 });
  const { legal, size } = tags;
  const isChain = settings.output === "crf";
  const head = settings.scores === "angle" ? angles : linear;
  const score = (noise: Noise | undefined): { encoded: Encoded; hidden: Tensor; logits: Tensor } => {
    const encoded = encoder.build(params, { noise });
    const hidden = dropout(encoded.first, settings.dropout, noise, "token");
    return { encoded, hidden, logits: head(params, "token.tags", hidden, size) };
  };
  const chain = (): Chain<Tensor> => crf(params, chainName, size, { legal });
  const barred = legalChain(size, legal);
  const decodingChain = (store: ParameterStore): Chain<Float32Array | number[]> =>
    isChain ? chainScores(store, chainName, barred) : barred;
  const model: TokenModel = {
    head: "token",
    encoder,
    types,
    labels: tags.names,
    typeOf: tags.typeOf,
    settings,
    params,
    facts: [["tags", `${settings.scheme}, ${settings.output}${settings.scores === "angle" ? ", angle-based" : ""}`]],
    // A token has one tag. Only windows of one text can disagree, and the better one is right.
    overlap: "flat",
    tagSet: tags,
    items: tokensOf,
    states: (sentence, sets) => tokenStates(sentence, sets).states,
    batch: (sentences) => {
      const { feeds, lookups } = encoder.batch(sentences);
      return { feeds: { ...feeds }, lookups };
    },
    training(options) {
      const noise = { keys: input("noise", "int32", ["batch"]) };
      const { encoded, hidden, logits } = score(noise);
      if (isChain) return sentenceLoss(chain(), logits, encoded.mask, settings, options);
      return options.objective.loss({
        logits,
        hidden,
        labels: tagInput(),
        allowed: options.supervision.constrained ? sharesInput("token.allowed", size) : undefined,
        targets: options.supervision.soft ? sharesInput("token.targets", size) : undefined,
        open: options.supervision.open ? sharesInput("token.open", size) : undefined,
        types,
        weights: flags("token.weights"),
        epoch: input("epoch", "float32", []),
        noise: uniform(noise.keys, ["time"], keyOf(0, "objective")),
      });
    },
    prediction() {
      const { encoded, logits } = score(undefined);
      return { logits, logProbs: isChain ? log(marginals(chain(), logits, encoded.mask)) : logSoftmax(logits) };
    },
    vectors: () => score(undefined).hidden,
    candidates: (store) => tagCandidates(decodingChain(store), tags, types),
    completion: (sentence, scores, store) => tokenCompletion(sentence, scores, decodingChain(store), tags, types),
    portable(store) {
      const { transitions, start, end } = decodingChain(store);
      const chain = { transitions: [...transitions], start: [...start], end: [...end] };
      const named = tags.tags.map(({ role, type }) => ({ role, type }));
      return { inputs: [], decoding: { kind: "tags", tags: named, chain } };
    },
  };
  model.prediction(); // declares every parameter, so that they exist before the first step
  return model;
}

function tagInput(): Tensor {
  return input("token.labels", "int32", ["batch", "time"]);
}

function flags(name: string): Tensor {
  return input(name, "float32", ["batch", "time"]);
}

function sharesInput(name: "token.allowed" | "token.targets" | "token.open", tags: number): Tensor {
  return input(name, "float32", ["batch", "time", tags]);
}

/** Minus the log-likelihood of the tags of a sentence, in the mean of the sentences or summed. */
function sentenceLoss(
  chain: Chain<Tensor>,
  logits: Tensor,
  mask: Tensor,
  { removal, soft }: TokenSettings,
  { objective, supervision: { constrained, removed, soft: isTaught } }: TokenTrainingOptions,
): Tensor {
  const labels = tagInput();
  const allowed = constrained ? sharesInput("token.allowed", logits.shape.at(-1) as number) : undefined;
  const likelihoods = removed
    ? removalLogLikelihood(removal, chain, logits, mask, labels, flags("token.kept"), allowed)
    : allowed
      ? constrainedLogLikelihood(chain, logits, mask, allowed)
      : logLikelihood(chain, logits, mask, labels);
  const all = isTaught && soft === "cross-entropy" ? sub(likelihoods, taughtLosses(chain, logits, mask)) : likelihoods;
  return neg(objective.reduction === "sum" ? sum(all) : mean(all));
}

/** Keeps the logarithm of a tag that cannot stand there finite. */
const tiny = 1e-9;

/** The cross-entropy of a teacher's shares with the distribution of each token, given the whole sentence: `[batch]`. */
function taughtLosses(chain: Chain<Tensor>, logits: Tensor, mask: Tensor): Tensor {
  const targets = sharesInput("token.targets", logits.shape.at(-1) as number);
  const losses = sum(mul(log(add(marginals(chain, logits, mask), tiny)), targets), { axes: -1 });
  return neg(sum(mul(losses, flags("token.weights")), { axes: -1 }));
}
