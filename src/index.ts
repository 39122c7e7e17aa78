/** The public list of Lacuna. The engine has a list of its own: `lacuna-ner/engine`. */
export { type EncoderSettings, loadWordVectors } from "./encoders/index.ts";
export * from "./evaluation/index.ts";
export * from "./formats/index.ts";
export type { DecodeSettings } from "./inference/predict.ts";
export { Recogniser, type RecogniserOptions, type TaggedEntity } from "./inference/recogniser.ts";
export * from "./lexicon/index.ts";
export { type Method, type MethodName, methods } from "./methods/index.ts";
export {
  type DetectionPoint,
  detection,
  detectionShares,
  type OutsideStudyRecord,
  outsideStudy,
} from "./report/outside-study.ts";
export { spanVectors } from "./report/span-vectors.ts";
export { type Draw, type Sampler, samplers } from "./samplers/index.ts";
export * from "./text/index.ts";
export { type RunOptions, type RunRecord, run } from "./training/run.ts";
export { completeSettings, type Settings } from "./training/settings.ts";
export type { TrainingData } from "./training/trainee.ts";
export { InputError } from "./util/errors.ts";
export { type Random, random } from "./util/random.ts";
