/** The public list of Lacuna. The engine and the tools of studies have lists of their own. */
export { type EncoderSettings, loadWordVectors } from "./encoders/index.ts";
export * from "./evaluation/index.ts";
export * from "./formats/index.ts";
export {
  type DecodeSettings,
  Recogniser,
  type RecogniserOptions,
  Scorer,
  type TaggedEntity,
} from "./inference/index.ts";
export * from "./lexicon/index.ts";
export { completeSettings, type Method, type MethodName, methods, train } from "./methods/index.ts";
export { type Draw, type Sampler, samplers } from "./samplers/index.ts";
export {
  type DetectionPoint,
  detection,
  detectionShares,
  type OutsideStudyRecord,
  outsideStudy,
} from "./studies/outside-study.ts";
export { spanVectors } from "./studies/span-vectors.ts";
export * from "./text/index.ts";
export type { RunOptions, RunRecord, Settings, TrainingData } from "./training/index.ts";
export { InputError } from "./util/errors.ts";
export { type Random, random } from "./util/random.ts";
