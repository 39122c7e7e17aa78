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
export { type DecodeSettings, decodeSettings, Predictor } from "./predict.ts";
export { Recogniser, type RecogniserOptions } from "./recogniser.ts";
export { type InferenceSettings, inferences } from "./retrieval.ts";
export { Scorer, type ScorerOptions } from "./scorer.ts";
export type { TaggedEntity } from "./tagged-entity.ts";
