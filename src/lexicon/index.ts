/** The public list of the lexicon layer. */
export { type BuildOptions, buildMatcher, type MatcherBuilder, matcherBuilder } from "./build.ts";
export { declaredDictionary } from "./declared.ts";
export { type DictionaryOptions, eachEntry, readDictionary, readSurfaces } from "./dictionary.ts";
export { type Folding, foldingChoices } from "./folding.ts";
export { type Decision, decide, type Labelled, labelDocument } from "./label.ts";
export type { Lines } from "./lines.ts";
export { type MaskedDocument, type MaskMode, mask } from "./mask.ts";
export type { Entry, Match, Matcher } from "./matcher.ts";
export { type OverlapPolicyName, overlapPolicies } from "./overlaps.ts";
export { conflictPolicies, type LabelPolicy, makePolicy, type Outcome } from "./policy.ts";
export { estimatePrecision, type PrecisionEstimate, type SamplePrecision } from "./precision.ts";
export { type LabelReport, type ReportCollector, reportCollector, type SurfaceReport } from "./report.ts";
export { deserialise, readMatcher, serialise, writeMatcher } from "./serialise.ts";
export { type LabelOptions, label } from "./stream.ts";
