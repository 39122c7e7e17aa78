import { z } from "zod";
import type { Encoder } from "../encoders/index.ts";
import { Parameters } from "../nn/index.ts";
import type { Objective } from "../objectives/index.ts";
import type { Sampler } from "../samplers/index.ts";
import { flatten, input, logSoftmax, matmul, mul, oneHot, sum, type Tensor, unsqueeze } from "../tensor/index.ts";
import type { Model } from "./model.ts";
import { type Mix, mixed } from "./retrieval.ts";
import { type ScorerName, scorers } from "./scorers.ts";
import { type Scoring, spanInputs, type TrainedSpans, trainedSpans } from "./trained-spans.ts";

export const spanModelSettings = z.strictObject({
  name: z.literal("span"),
  /** `product`: start, end, difference and product; `width`: start, end and width through two layers. */
  scorer: z.enum(Object.keys(scorers) as [ScorerName, ...ScorerName[]]).default("product"),
  /** Width of a span's hidden state. */
  hidden: z.int().min(1).default(256),
  /** Of token vectors before they are joined to spans, and of the spans' hidden states. */
  dropout: z.number().min(0).lt(1).default(0.3),
  /** The widest span that is scored, in tokens; `auto` keeps 99.9 % of the training entities. */
  maxWidth: z.union([z.literal("auto"), z.int().min(1)]).default("auto"),
});
/** With the width decided. */
export type SpanModelSettings = Omit<z.output<typeof spanModelSettings>, "name" | "maxWidth"> & {
  readonly maxWidth: number;
};

/** A scalar loss and, when the sampler picks inside the graph, the numbers of the picked candidates. */
export interface TrainingGraph {
  readonly loss: Tensor;
  readonly places?: Tensor;
}

/** An encoder and a classifier of spans. Label 0 is "not an entity". */
export interface SpanModel extends Model {
  readonly kind: "span";
  readonly settings: SpanModelSettings;
  /** The graph of a training step. */
  training(objective: Objective, sampler: Sampler, epochs: number): TrainingGraph;
  /** The hidden states of a training batch without dropout: their sum for each label `[labels, hidden]`, and how many. */
  labelSums(sampler: Sampler, epochs: number): { readonly sums: Tensor; readonly counts: Tensor };
  /** The graph of prediction: log-probabilities `[batch, spans, labels]`, or mixed with what retrieval says. */
  prediction(mix?: Mix): Tensor;
  /** The hidden states of spans as prediction sees them: `[batch, spans, hidden]`. */
  states(): Tensor;
}

/** `outsideBias` is where the training of the bias of label 0 starts; see the scorers. */
export function spanModel(
  encoder: Encoder,
  types: readonly string[],
  settings: SpanModelSettings,
  outsideBias = 0,
): SpanModel {
  const params = new Parameters();
  const scorer = { ...settings, labels: types.length + 1, outsideBias };
  const score: Scoring = (encoded, spans, noise) => scorers[settings.scorer](params, encoded, spans, scorer, noise);
  const spans = (sampler: Sampler, epochs: number, { drop }: { drop: boolean }): TrainedSpans => {
    const noise = { keys: input("noise", "int32", ["batch"]) };
    const dropout = drop ? noise : undefined;
    const step = { noise, dropout, epoch: input("epoch", "float32", []), epochs };
    return trainedSpans(score, encoder.build(params, dropout ? { noise: dropout } : {}), sampler, step);
  };
  const predicted = (): ReturnType<Scoring> => score(encoder.build(params, {}), spanInputs(), undefined);
  const model: SpanModel = {
    kind: "span",
    encoder,
    types,
    settings,
    params,
    facts: [["widest entity", `${settings.maxWidth} tokens`]],
    training(objective, sampler, epochs) {
      const trained = spans(sampler, epochs, { drop: true });
      const loss = objective.loss(trained);
      return trained.places ? { loss, places: trained.places } : { loss };
    },
    labelSums(sampler, epochs) {
      const { hidden, labels, weights } = spans(sampler, epochs, { drop: false });
      const members = flatten(mul(oneHot(labels, types.length + 1), unsqueeze(weights, -1)));
      return { sums: matmul(members, flatten(hidden), { transA: true }), counts: sum(members, { axes: 0 }) };
    },
    prediction(mix) {
      const { logits, hidden } = predicted();
      return mix ? mixed(logits, hidden, mix) : logSoftmax(logits);
    },
    states: () => predicted().hidden,
  };
  model.prediction(); // declares every parameter, so that they exist before the first step
  return model;
}
