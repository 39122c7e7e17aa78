import { type Annotation, type Document, type Entity, joinTokens, makeSentence, wholly } from "../text/index.ts";
import { quote } from "../util/errors.ts";
import { checkedEntities } from "./entities.ts";
import type { ReadOptions } from "./format.ts";
import { type Fail, integerOf, labelOf } from "./rows.ts";

/** A document from the tokens of its sentences, with a text made by joining them. */
export function tokenDocument(
  id: string | undefined,
  sentences: readonly (readonly string[])[],
  annotationOf: (sentence: number) => Annotation,
): Document {
  const { text, offsets } = joinTokens(sentences);
  const made = offsets.map((places, i) => makeSentence(text, places, annotationOf(i)));
  return id === undefined ? { text, sentences: made } : { id, text, sentences: made };
}

/** Entities and what silence means for a sentence of a format that has neither more. */
export function entityAnnotation(
  tokens: number,
  entities: readonly Entity[],
  options: ReadOptions,
  fail: Fail,
): Annotation {
  const checked = checkedEntities(entities, options, fail);
  return { entities: checked, complete: options.silence === "negative" ? wholly(tokens) : [] };
}

/** An entity written as first token, last token, label; `shift` is the number of the sentence's first token in the file. */
export function inclusiveEntity(item: readonly unknown[], tokens: number, fail: Fail, shift = 0): Entity {
  if (item.length !== 3) fail(`an entity must be [first token, last token, label], got ${quote(item)}`);
  const start = integerOf(item[0], "the first token of an entity", fail) - shift;
  const last = integerOf(item[1], "the last token of an entity", fail) - shift;
  if (start < 0 || last < start || last >= tokens) {
    fail(`the entity ${quote(item)} does not lie within the tokens ${shift} to ${shift + tokens - 1} of its sentence`);
  }
  return { start, end: last + 1, type: labelOf(item[2], fail) };
}
