import { z } from "zod";
import type { Encoder } from "../encoders/index.ts";
import { Parameters } from "../nn/index.ts";
import type { Objective } from "../objectives/index.ts";
import { input, logSoftmax, type Tensor } from "../tensor/index.ts";
import { type ScorerName, type SpanIndices, scorers } from "./scorers.ts";

export const spanModelSettings = z.strictObject({
  /** `product`: start, end, difference and product; `width`: start, end and width through two layers. */
  scorer: z.enum(Object.keys(scorers) as [ScorerName, ...ScorerName[]]).default("product"),
  /** Width of a span's hidden state. */
  hidden: z.int().min(1).default(256),
  dropout: z.number().min(0).lt(1).default(0.2),
  /** The widest span that is scored, in tokens; `auto` keeps 99.9 % of the training entities. */
  maxWidth: z.union([z.literal("auto"), z.int().min(1)]).default("auto"),
});
/** With the width decided. */
export type SpanModelSettings = Omit<z.output<typeof spanModelSettings>, "maxWidth"> & { readonly maxWidth: number };

/** An encoder and a classifier of spans. Label 0 is "not an entity". */
export interface SpanModel {
  readonly encoder: Encoder;
  readonly types: readonly string[];
  readonly settings: SpanModelSettings;
  readonly params: Parameters;
  /** The graph of a training step: a scalar loss. */
  training(objective: Objective): Tensor;
  /** The graph of prediction: log-probabilities `[batch, spans, labels]`. */
  prediction(): Tensor;
}

export function spanModel(encoder: Encoder, types: readonly string[], settings: SpanModelSettings): SpanModel {
  const params = new Parameters();
  const scorer = { ...settings, labels: types.length + 1 };
  const score = scorers[settings.scorer];
  const model: SpanModel = {
    encoder,
    types,
    settings,
    params,
    training(objective) {
      const noise = { keys: input("noise", "int32", ["batch"]) };
      const scores = score(params, encoder.build(params, { noise }), spanInputs(), scorer, noise);
      return objective.loss({
        ...scores,
        labels: input("span.labels", "int32", ["batch", "spans"]),
        weights: input("span.weights", "float32", ["batch", "spans"]),
        epoch: input("epoch", "float32", []),
      });
    },
    prediction: () => logSoftmax(score(params, encoder.build(params, {}), spanInputs(), scorer, undefined).logits),
  };
  model.prediction(); // declares every parameter, so that they exist before the first step
  return model;
}

function spanInputs(): SpanIndices {
  return {
    starts: input("span.starts", "int32", ["batch", "spans"]),
    ends: input("span.ends", "int32", ["batch", "spans"]),
    positions: input("span.positions", "int32", ["time"]),
  };
}
