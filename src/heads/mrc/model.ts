import type { Encoder } from "../../encoders/index.ts";
import { Parameters } from "../../nn/index.ts";
import type { Reduction } from "../../objectives/index.ts";
import { input, type Tensor } from "../../tensor/index.ts";
import { type Sentence, tokenCount } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Batch, Model } from "../head.ts";
import { spanCandidates } from "../span/candidates.ts";
import { spanGrid, spanStates } from "../span/grid.ts";
import { mrcLoss, mrcPrediction, mrcScores } from "./graph.ts";
import { outputsOf, rowBatch, rowsOf } from "./rows.ts";
import type { MrcModelSettings } from "./settings.ts";

/** An encoder and three yes-or-no classifiers for each type. Label 0 is "not an entity". */
export interface MrcModel extends Model {
  readonly settings: MrcModelSettings;
  /** The loss of a training step. */
  training(reduction: Reduction): Tensor;
}

/** `odds` are the log-odds that an entity of some type starts at a token: where the training of the biases begins. */
export function mrcModel(encoder: Encoder, types: readonly string[], settings: MrcModelSettings, odds = 0): MrcModel {
  const params = new Parameters();
  const labels = ["O", ...types];
  const reads = settings.query === "read";
  const shape = { ...settings, outputs: outputsOf(types, settings), odds };
  const model: MrcModel = {
    head: "mrc",
    encoder,
    types,
    labels,
    typeOf: labels.map((_, label) => label - 1),
    settings,
    params,
    facts: [
      ["widest entity", `${settings.maxWidth} tokens`],
      ["queries", reads ? "read before the sentence" : "a learned vector for each type"],
    ],
    size: (sentence) => rowsOf(sentence, types, settings).reduce((sum, row) => sum + encoder.size(row.sentence), 0),
    items: (length) => spanGrid(length, settings.maxWidth),
    states: (sentence, sets) => spanStates(sentence, spanGrid(tokenCount(sentence), settings.maxWidth), sets),
    batch: (sentences) => predictionBatch(sentences, encoder, types, settings),
    training: (reduction) =>
      mrcLoss(mrcScores(params, encoder, shape, { keys: input("noise", "int32", ["batch"]) }), shape, reduction),
    prediction: () => mrcPrediction(mrcScores(params, encoder, shape, undefined), types.length, reads),
    candidates: () => spanCandidates,
    portable() {
      if (reads)
        throw new InputError(
          "export: an exported model puts no query before a sentence; train the head mrc with query=vector, or serve this model",
        );
      return {
        inputs: [{ kind: "spans", starts: "span.starts", ends: "span.ends", maxWidth: settings.maxWidth }],
        decoding: { kind: "spans", maxWidth: settings.maxWidth },
      };
    },
  };
  model.prediction(); // declares every parameter, so that they exist before the first step
  return model;
}

function predictionBatch(
  sentences: readonly Sentence[],
  encoder: Encoder,
  types: readonly string[],
  settings: MrcModelSettings,
): Batch {
  const { batch } = rowBatch(
    sentences.flatMap((sentence) => rowsOf(sentence, types, settings)),
    encoder,
  );
  const rows = Int32Array.from({ length: sentences.length * types.length }, (_, row) => row);
  return {
    ...batch,
    feeds: { ...batch.feeds, "mrc.rows": { data: rows, shape: [sentences.length, types.length] } },
  };
}
