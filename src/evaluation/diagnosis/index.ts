/** The public list of the diagnosis of a corpus. */
export { type BoundOptions, type ChanceBounds, chanceBounds, type DrawnSentence } from "./bounds.ts";
export type { Conflict, Conflicts, Disagreement, Duplicates } from "./conflicts.ts";
export type { CorpusCounts, TypeCounts } from "./counts.ts";
export { type DiagnoseOptions, type Diagnosis, diagnose } from "./diagnose.ts";
export type { Distribution } from "./distribution.ts";
export type { Estimate, MissingEstimates, MissingShare, NoEstimate, Untold } from "./estimate.ts";
export {
  groupSentences,
  type HiddenCount,
  hiddenByMask,
  type SentenceGroup,
  type Supposition,
} from "./hidden-counts.ts";
export { type ExpectedMissampling, expectedMissampling } from "./missampling.ts";
export { missingBySample, type SampleEstimates } from "./missing-by-sample.ts";
export { missingShare, missingShares } from "./missing-share.ts";
export { describeOrdinary, manyOrdinary, type OrdinaryLabels, withoutOrdinaryLabels } from "./ordinary-labels.ts";
export { type Ordinary, type OrdinaryWords, ordinaryWords } from "./ordinary-words.ts";
export type { FromDictionary, Origins } from "./origins.ts";
export type { Position } from "./placed.ts";
export type { MissingScenario, SamplingOutlook } from "./sampling.ts";
export { type LengthRow, type Sparsity, sparsityOf } from "./sparsity.ts";
export { labelledSurfaces } from "./surfaces.ts";
export type { WidthLoss, Widths } from "./widths.ts";
export { manyAreWrong, type WrongShare, wrongShare } from "./wrong-share.ts";
