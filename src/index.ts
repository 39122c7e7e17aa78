/**
 * The public list of Lacuna; `docs/api.md` describes every name. The engine (`lacuna-ner/engine`) and the tools of studies
 * (`lacuna-ner/studies`) have lists of their own.
 */

// Finding what is missing or wrong
export { audit, type Suspicion } from "./audit/index.ts";
// Parts of your own
export type { Encoder, EncoderKind } from "./encoders/index.ts";
// Measuring
export { diagnose, evaluate, type Report } from "./evaluation/index.ts";
// Files
export { type ReadOptions, readAll, readDocuments, writeDocuments } from "./formats/index.ts";
export type { Head, ItemScores, Model } from "./heads/index.ts";
// Models at work
export { Recogniser, Scorer, type TaggedEntity } from "./inference/index.ts";
// Dictionaries, and hiding annotations on purpose
export { buildMatcher, label, mask, readDictionary } from "./lexicon/index.ts";
// Training
export { type Method, methods, settingsOf as completeSettings, type TrainSettings, train } from "./methods/index.ts";
export type { Objective } from "./objectives/index.ts";
export type { Sampler } from "./samplers/index.ts";
// Text and what is known about it
export {
  type Allowed,
  allowedAt,
  annotate,
  type CompleteRegion,
  type Document,
  declareComplete,
  type Entity,
  makeSentence,
  type Rejection,
  type Sentence,
  type Span,
  stateOf,
  surface,
  tokenCount,
  tokenise,
  tokenTexts,
} from "./text/index.ts";
export { type CrossFitOptions, crossFit, type RunRecord, type TrainingData } from "./training/index.ts";
// The rest
export { InputError } from "./util/errors.ts";
export { random } from "./util/random.ts";
