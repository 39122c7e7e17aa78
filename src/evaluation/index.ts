export {
  type BootstrapOptions,
  type Comparison,
  compareResampled,
  compareSystems,
  confidenceInterval,
  countsOf,
  type Interval,
  type ResampledRun,
  type RunCounts,
  resample,
} from "./bootstrap.ts";
export * from "./diagnosis/index.ts";
export { type EntityError, type ErrorKind, errorsOf, type Mention } from "./errors.ts";
export type { GoldReport, Judgement, JudgeOptions } from "./incomplete.ts";
export type { Counts } from "./matching.ts";
export { type PlacedPair, pairSentences, type SentencePair, type SideNames } from "./pairs.ts";
export { averagePrecision, precisionAt } from "./ranking.ts";
export { type Evaluator, evaluate, evaluator, type Report } from "./report.ts";
export { type MacroScore, type RelaxedScores, type Score, type Scores, score } from "./scores.ts";
