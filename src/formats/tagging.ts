import {
  type Annotation,
  assertedRegions,
  type Document,
  entitiesOfTags,
  type Sentence,
  type Tag,
  tagsOfEntities,
  tokenCount,
} from "../text/index.ts";
import type { ReadOptions, WriteOptions } from "./format.ts";
import { outside } from "./limits/index.ts";
import type { Source } from "./source.ts";

/** What the formats share that have a tag for each token. */

/** Whether something about a whole file must be known before its first sentence can be read: unknown tags, or the scheme. */
export function looksFirst({ silence, strict, scheme }: ReadOptions): boolean {
  return silence !== "negative" || (strict === true && scheme === undefined);
}

/** Reads a source that is looked at first where that is needed. */
export function readTagged(
  source: Source,
  options: ReadOptions,
  read: (source: Source, options: ReadOptions) => AsyncGenerator<Document, void, undefined>,
): AsyncGenerator<Document, void, undefined> {
  return looksFirst(options) ? source.rereading((again) => read(again, options)) : read(source, options);
}

/** What the first `count` tags say; with `asserted`, O means "not an entity". */
export function annotationOfTags(tags: readonly Tag[], count: number, asserted: boolean): Annotation {
  const entities = entitiesOfTags(tags, count);
  if (!asserted) return { entities };
  return { entities, complete: assertedRegions(count, (token) => tags[token]!.role === "unknown", entities) };
}

/** The tags to write for a sentence: where silence is negative, O for what is complete and UNK for what is not. */
export function tagsOfSentence(sentence: Sentence, { scheme = "IOB2", silence }: WriteOptions): string[] {
  const isUnknown = silence === "negative" ? outside(sentence.complete) : undefined;
  return tagsOfEntities(tokenCount(sentence), sentence.entities, scheme, isUnknown);
}
