export { type DecodeSettings, type Decoding, decodeSettings } from "./decode-settings.ts";
export { type ItemVectors, itemVectors } from "./item-vectors.ts";
export {
  type LoadedModel,
  type LoadOptions,
  loadModel,
  type ModelConfig,
  type OwnParts,
  readConfig,
  restoreWeights,
  saveModel,
  updateTraining,
  weightsOf,
} from "./model-directory.ts";
export { Predictor } from "./predict.ts";
export { predictInSlices } from "./predict-slices.ts";
export { Recogniser, type RecogniserOptions } from "./recogniser.ts";
export { type InferenceSettings, inferences } from "./retrieval.ts";
export { Scorer, type ScorerOptions } from "./scorer.ts";
export { labelBiases, type Shift, shiftSchema, shiftText } from "./shift.ts";
export { type TaggedEntity, taggedEntities } from "./tagged-entity.ts";
export { entitiesOf, type Tagging } from "./tagging.ts";
