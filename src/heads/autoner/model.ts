import type { Encoder } from "../../encoders/index.ts";
import { type Noise, Parameters } from "../../nn/index.ts";
import type { Reduction } from "../../objectives/index.ts";
import { input, type Tensor } from "../../tensor/index.ts";
import { tokenCount } from "../../text/index.ts";
import type { Model } from "../head.ts";
import { spanBatch } from "../span/batch.ts";
import { spanCandidates } from "../span/candidates.ts";
import { spanGrid, spanStates } from "../span/grid.ts";
import { spanInputs } from "../span/trained-spans.ts";
import { autonerLoss, autonerPrediction, autonerScores } from "./graph.ts";
import type { AutonerModelSettings } from "./settings.ts";

/** An encoder, a classifier of the gaps between tokens and one of the spans between breaks. Label 0 is "not an entity". */
export interface AutonerModel extends Model {
  readonly settings: AutonerModelSettings;
  /** The loss of a training step; `soft` when some spans have targets of a teacher. */
  training(reduction: Reduction, soft: boolean): Tensor;
}

/** Log-odds with which the training of the biases begins. */
export interface FirstOdds {
  readonly breakOdds: number;
  readonly outsideOdds: number;
}

export function autonerModel(
  encoder: Encoder,
  types: readonly string[],
  settings: AutonerModelSettings,
  odds: FirstOdds = { breakOdds: 0, outsideOdds: 0 },
): AutonerModel {
  const params = new Parameters();
  const labels = ["O", ...types];
  const { maxWidth } = settings;
  const shape = { ...settings, ...odds, labels: labels.length };
  const build = (noise: Noise | undefined) => {
    const [encoded, spans] = [encoder.build(params, { noise }), spanInputs()];
    return { scores: autonerScores(params, encoded, spans, shape, noise), mask: encoded.mask, spans };
  };
  const model: AutonerModel = {
    head: "autoner",
    encoder,
    types,
    labels,
    typeOf: labels.map((_, label) => label - 1),
    settings,
    params,
    facts: [["widest entity", `${maxWidth} tokens`]],
    // A gap is a tie or a break.
    overlap: "flat",
    items: (length) => spanGrid(length, maxWidth),
    states: (sentence, sets) => spanStates(sentence, spanGrid(tokenCount(sentence), maxWidth), sets),
    batch(sentences) {
      const items = sentences.map((sentence) => ({ sentence, grid: spanGrid(tokenCount(sentence), maxWidth) }));
      const all = items.map(({ grid }) => Int32Array.from({ length: grid.size }, (_, index) => index));
      return spanBatch(items, encoder, all).batch;
    },
    training(reduction, soft) {
      const { scores } = build({ keys: input("noise", "int32", ["batch"]) });
      return autonerLoss(scores, shape, reduction, soft);
    },
    prediction() {
      const { scores, mask, spans } = build(undefined);
      return autonerPrediction(scores, mask, spans);
    },
    candidates: () => spanCandidates,
    portable: () => ({
      inputs: [{ kind: "spans", starts: "span.starts", ends: "span.ends", maxWidth }],
      decoding: { kind: "spans", maxWidth },
    }),
  };
  model.prediction(); // declares every parameter, so that they exist before the first step
  return model;
}
