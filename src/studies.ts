/** Tools that studies use: what a library needs no more than a reader of the results does. */
export { auditSettings, rank, spanMeans, spanProbabilities } from "./audit/index.ts";
export { averagePrecision, chanceBounds, missingBySample, precisionAt, sparsityOf } from "./evaluation/index.ts";
export { makeSampler, samplers } from "./samplers/index.ts";
export {
  type DetectionPoint,
  detection,
  detectionShares,
  type OutsideStudyRecord,
  outsideStudy,
} from "./studies/outside-study.ts";
export { spanVectors } from "./studies/span-vectors.ts";
