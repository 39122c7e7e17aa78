/**
 * Text → the numbers that models read. Nothing here needs Node or the engine, so that an exported model reads texts in a
 * browser as the encoders do.
 */

export type { CharacterNumbers, CharacterOptions } from "./character-numbers.ts";
export { alphabetOf, type Reading, type ReadingOptions, readingsOf } from "./character-readings.ts";
export { type DictionaryEntries, type DictionaryMarks, dictionaryMarks } from "./dictionary-marks.ts";
export { distanceBuckets, farthestDistance } from "./distances.ts";
export { type Feeder, type Files, feeder } from "./feeder.ts";
export { type EntryList, filesOf, type InputSpec, type SubwordLayout, type SubwordSpec } from "./input-spec.ts";
export type { Feeds, Numbers } from "./numbers.ts";
export { shapeNames, shapeOf, shapePatterns, shapesOf } from "./shapes.ts";
export { inputSpec } from "./spec-shapes.ts";
export { type Spelling, spelling } from "./spelling.ts";
export { openTokeniser, type SubwordTokeniser, type TokeniserJson } from "./subword-tokeniser.ts";
export {
  type Layout,
  type LayoutOptions,
  layOut,
  type SubwordNumbers,
  type SubwordOptions,
  subwordCount,
  subwordNumbers,
} from "./subwords.ts";
export { bigramAt, foldedAt, longestOf, maskOf, type TextAt, textsOf, tokenIds } from "./tokens.ts";
export { countedVocabulary, paddingId, unknownId, type Vocabulary, vocabulary } from "./vocabulary.ts";
export { type FoundWord, wordFinder } from "./word-finder.ts";
export { type LatticeNumbers, type LatticeOptions, wordLattice } from "./word-lattice.ts";
export { type WordMatch, type WordNumbers, type WordRow, wordNumbers } from "./word-rows.ts";
export { type WordSets, wordSetCount, wordSets } from "./word-sets.ts";
