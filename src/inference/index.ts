export { type DecodeSettings, type Decoding, decodeSettings } from "./decode-settings.ts";
export {
  type LoadedModel,
  type LoadOptions,
  loadModel,
  type ModelConfig,
  type OwnParts,
  restoreWeights,
  saveModel,
  updateTraining,
  weightsOf,
} from "./model-directory.ts";
export { Predictor } from "./predict.ts";
export { Recogniser, type RecogniserOptions, type TaggedEntity, taggedEntities } from "./recogniser.ts";
export { type InferenceSettings, inferences } from "./retrieval.ts";
export { Scorer, type ScorerOptions } from "./scorer.ts";
export { labelBiases, type Shift, shiftSchema, shiftText, withBiases } from "./shift.ts";
export { entitiesOf, type Tagging } from "./tagging.ts";
