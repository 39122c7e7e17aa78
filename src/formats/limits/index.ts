/** What some format cannot express, each with what remains of a document without it. */
export {
  completeness,
  finishedCompleteness,
  isFinished,
  outside,
  rejections,
  silentCompleteness,
  taggedCompleteness,
  unsure,
} from "./completeness.ts";
export { ids, loneSurrogates, overlaps, provenance, scores, secondTypes, spacedLabels } from "./entities.ts";
export { documents, emptySentences, sentenceBreaks, spacing, tokens, unwritableTokens } from "./layout.ts";
