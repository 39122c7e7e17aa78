export {
  type LoadedModel,
  type LoadOptions,
  loadModel,
  type ModelConfig,
  type OwnParts,
  restoreWeights,
  saveModel,
  weightsOf,
} from "./model-directory.ts";
export { type DecodeSettings, type Decoding, decodeSettings, entitiesOf, Predictor } from "./predict.ts";
export { Recogniser, type RecogniserOptions, type TaggedEntity } from "./recogniser.ts";
export { type InferenceSettings, inferences } from "./retrieval.ts";
export { Scorer, type ScorerOptions } from "./scorer.ts";
export { labelBiases, type Shift, shiftSchema, shiftText, withBiases } from "./shift.ts";
