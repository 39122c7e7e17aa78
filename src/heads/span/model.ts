import type { Encoder } from "../../encoders/index.ts";
import { Parameters } from "../../nn/index.ts";
import { hasLabel, type Objective } from "../../objectives/index.ts";
import type { Sampler } from "../../samplers/index.ts";
import { flatten, input, logSoftmax, matmul, mul, oneHot, sum, type Tensor, unsqueeze } from "../../tensor/index.ts";
import { tokenCount } from "../../text/index.ts";
import type { LabelSums, Model, Prediction, RetrievalPart } from "../head.ts";
import { spanBatch } from "./batch.ts";
import { spanCandidates } from "./candidates.ts";
import { spanGrid, spanStates } from "./grid.ts";
import { mixed } from "./retrieval.ts";
import { scorers } from "./scorers.ts";
import type { SpanModelSettings } from "./settings.ts";
import type { Supervision } from "./supervision.ts";
import { type Scoring, spanInputs, type TrainedSpans, trainedSpans } from "./trained-spans.ts";

/** A scalar loss and, when the sampler picks inside the graph, the numbers of the picked candidates. */
export interface TrainingGraph {
  readonly loss: Tensor;
  readonly places?: Tensor;
}

/** An encoder and a classifier of spans. Label 0 is "not an entity". */
export interface SpanModel extends Model {
  readonly settings: SpanModelSettings;
  readonly retrieval: RetrievalPart;
  /** The graph of a training step. */
  training(objective: Objective, sampler: Sampler, epochs: number, supervision: Supervision): TrainingGraph;
  /** The hidden states of a training batch without dropout. */
  labelSums(sampler: Sampler, epochs: number, supervision: Supervision): LabelSums;
  vectors(): Tensor;
}

/** `outsideBias` is where the training of the bias of label 0 starts; see the scorers. */
export function spanModel(
  encoder: Encoder,
  types: readonly string[],
  settings: SpanModelSettings,
  outsideBias = 0,
): SpanModel {
  const params = new Parameters();
  const labels = ["O", ...types];
  const scorer = { ...settings, labels: labels.length, outsideBias };
  const score: Scoring = (encoded, spans, noise) => scorers[settings.scorer](params, encoded, spans, scorer, noise);
  const spans = (sampler: Sampler, epochs: number, supervision: Supervision, drop: boolean): TrainedSpans => {
    const noise = { keys: input("noise", "int32", ["batch"]) };
    const dropout = drop ? noise : undefined;
    const step = { noise, dropout, epoch: input("epoch", "float32", []), epochs };
    return trainedSpans(score, encoder.build(params, dropout ? { noise: dropout } : {}), sampler, step, supervision);
  };
  const predicted = (): ReturnType<Scoring> => score(encoder.build(params, {}), spanInputs(), undefined);
  const prediction = (logProbs: Tensor): Prediction => ({ logits: logProbs, logProbs });
  const model: SpanModel = {
    head: "span",
    encoder,
    types,
    labels,
    typeOf: labels.map((_, label) => label - 1),
    settings,
    params,
    facts: [["widest entity", `${settings.maxWidth} tokens`]],
    items: (length) => spanGrid(length, settings.maxWidth),
    states: (sentence, sets) => spanStates(sentence, spanGrid(tokenCount(sentence), settings.maxWidth), sets),
    batch(sentences) {
      const items = sentences.map((sentence) => ({
        sentence,
        grid: spanGrid(tokenCount(sentence), settings.maxWidth),
      }));
      const all = items.map(({ grid }) => Int32Array.from({ length: grid.size }, (_, index) => index));
      return spanBatch(items, encoder, all).batch;
    },
    training(objective, sampler, epochs, supervision) {
      const trained = spans(sampler, epochs, supervision, true);
      const loss = objective.loss(trained);
      return trained.places ? { loss, places: trained.places } : { loss };
    },
    labelSums(sampler, epochs, supervision) {
      const trained = spans(sampler, epochs, supervision, false);
      const labelled = hasLabel(trained);
      const weights = labelled ? mul(trained.weights, labelled) : trained.weights;
      const members = flatten(mul(oneHot(trained.labels, labels.length), unsqueeze(weights, -1)));
      return { sums: matmul(members, flatten(trained.hidden), { transA: true }), counts: sum(members, { axes: 0 }) };
    },
    prediction: () => prediction(logSoftmax(predicted().logits)),
    vectors: () => predicted().hidden,
    candidates: () => spanCandidates,
    portable: () => ({
      inputs: [{ kind: "spans", starts: "span.starts", ends: "span.ends", maxWidth: settings.maxWidth }],
      decoding: { kind: "spans", maxWidth: settings.maxWidth },
    }),
    retrieval: {
      width: settings.hidden,
      prediction(mix) {
        const { logits, hidden } = predicted();
        return prediction(mixed(logits, hidden, mix));
      },
    },
  };
  model.prediction(); // declares every parameter, so that they exist before the first step
  return model;
}
