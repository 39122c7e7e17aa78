/** The public list of the text layer. */
export {
  type Allowed,
  allowedAt,
  allTypes,
  countStates,
  type ItemCounts,
  isCandidate,
  itemState,
  noTypes,
  openState,
  restriction,
  type TypeSets,
  tokenExclusions,
  typeSets,
  withoutOverlaps,
} from "./allowed.ts";
export { asked } from "./asked.ts";
export * as classes from "./characters.ts";
export { classOf, isBlank, isUnspaced } from "./characters.ts";
export { type CorpusSize, type SizeCounter, sizeCounter } from "./corpus-size.ts";
export { isDeclared, reviewer } from "./declared.ts";
export {
  type Annotation,
  annotate,
  type CompleteRegion,
  characters,
  compareEntities,
  compareSpans,
  type Document,
  type Entity,
  makeSentence,
  overlaps,
  type Provenance,
  type Rejection,
  type Sentence,
  type Span,
  sameSpan,
  surface,
  tokenCount,
  tokenText,
  tokenTexts,
  withoutAnnotation,
} from "./document.ts";
export { joinTokens } from "./join.ts";
export { type OffsetMap, type OffsetUnit, offsetMap, offsetUnits } from "./offsets.ts";
export { type Segment, segmentsOf } from "./segments.ts";
export { coverage, type SpanIndex, spanIndex } from "./span-index.ts";
export { declareComplete, isComplete, type State, stateOf, wholly } from "./states.ts";
export { type SchemeDetector, schemeDetector, type TagViolation, violations } from "./tag-schemes.ts";
export {
  assertedRegions,
  entitiesOfTags,
  parseTag,
  type Scheme,
  schemeNamed,
  type Tag,
  type TagRole,
  tagReader,
  tagsOfEntities,
  unknownTags,
} from "./tags.ts";
export { type TokeniseOptions, tokenise } from "./tokenise.ts";
export { findTokens } from "./tokens.ts";
