import { annotate, type Document, type Entity, makeSentence, type Sentence, surface } from "../text/index.ts";
import { InputError, unknownName } from "../util/errors.ts";
import { type KeyPart, random } from "../util/random.ts";

/**
 * Which annotations to hide.
 * - `mention`: each one on its own with probability `rate`.
 * - `fraction`: exactly this share of all, rounded to a whole number; every subset of that size is equally likely.
 * - `surface`: each surface form with probability `rate`, and then all its mentions, as a gap in a dictionary does.
 * - `type`: each one with the probability that stands beside its type; types that are not named stay.
 * With one seed, what a lower rate or fraction hides is hidden at a higher one too.
 */
export type MaskMode =
  | { readonly by: "mention"; readonly rate: number }
  | { readonly by: "fraction"; readonly fraction: number }
  | { readonly by: "surface"; readonly rate: number }
  | { readonly by: "type"; readonly rates: ReadonlyMap<string, number> };

/**
 * A document with gaps, and what is missing from it: the same text and tokens, whose entities are the hidden ones.
 * The hidden set is thus a corpus like any other, and any format can hold it.
 */
export interface MaskedDocument {
  readonly masked: Document;
  readonly hidden: Document;
}

/**
 * Hides annotations. The choice is keyed by seed, document index, sentence index and entity (by the surface form in
 * that mode), so it depends neither on the order of reading nor on what else is hidden.
 *
 * All sentences become incomplete, also those that lost nothing and also at rate 0: completeness that survived
 * only where nothing was hidden would tell a method where to look. Rejected and unsure spans stay, as
 * statements that the hiding does not touch.
 *
 * Streams, except in mode `fraction`, which has to hold all documents before it can give the first.
 */
export async function* mask(
  documents: Iterable<Document> | AsyncIterable<Document>,
  mode: MaskMode,
  seed: number,
): AsyncGenerator<MaskedDocument, void, undefined> {
  assertMode(mode);
  if (mode.by === "fraction") {
    const all: Document[] = [];
    for await (const document of documents) all.push(document);
    const hides = fractionChooser(all, mode.fraction, seed);
    for (const [index, document] of all.entries()) yield maskDocument(document, index, hides);
    return;
  }
  const seen = new Set<string>();
  const hides = chooser(mode, seed);
  let index = 0;
  for await (const document of documents) {
    for (const { entities } of document.sentences) for (const { type } of entities) seen.add(type);
    yield maskDocument(document, index++, hides);
  }
  if (mode.by === "type") assertTypesSeen(mode.rates, seen);
}

/** Decides about one entity; `place` is its document index and sentence index. */
type Chooser = (entity: Entity, sentence: Sentence, place: readonly [number, number]) => boolean;

function maskDocument(document: Document, index: number, hides: Chooser): MaskedDocument {
  const masked: Sentence[] = [];
  const hidden: Sentence[] = [];
  for (const [sentenceIndex, sentence] of document.sentences.entries()) {
    const kept: Entity[] = [];
    const gone: Entity[] = [];
    for (const entity of sentence.entities) {
      (hides(entity, sentence, [index, sentenceIndex]) ? gone : kept).push(entity);
    }
    masked.push(annotate(sentence, { entities: kept, complete: [] }));
    hidden.push(makeSentence(sentence.text, sentence.offsets, { entities: gone }));
  }
  return { masked: { ...document, sentences: masked }, hidden: { ...document, sentences: hidden } };
}

function chooser(mode: Exclude<MaskMode, { by: "fraction" }>, seed: number): Chooser {
  switch (mode.by) {
    case "mention":
      return (entity, _, place) => draw(seed, entity, place) < mode.rate;
    case "type":
      return (entity, _, place) => draw(seed, entity, place) < (mode.rates.get(entity.type) ?? 0);
    case "surface":
      return (entity, sentence) => uniform(seed, "surface", surfaceForm(sentence, entity)) < mode.rate;
  }
}

function fractionChooser(documents: readonly Document[], fraction: number, seed: number): Chooser {
  const drawn: { readonly key: string; readonly value: number }[] = [];
  for (const [index, { sentences }] of documents.entries()) {
    for (const [sentenceIndex, { entities }] of sentences.entries()) {
      const place = [index, sentenceIndex] as const;
      for (const entity of entities)
        drawn.push({ key: keyParts(entity, place).join(" "), value: draw(seed, entity, place) });
    }
  }
  drawn.sort((a, b) => a.value - b.value);
  const hidden = new Set(drawn.slice(0, Math.round(fraction * drawn.length)).map(({ key }) => key));
  return (entity, _, place) => hidden.has(keyParts(entity, place).join(" "));
}

function draw(seed: number, entity: Entity, place: readonly [number, number]): number {
  return uniform(seed, ...keyParts(entity, place));
}

function keyParts({ start, end, type }: Entity, place: readonly [number, number]): KeyPart[] {
  return [...place, start, end, type];
}

/** A number in (0, 1): below a rate of 1 for certain and below a rate of 0 never. */
function uniform(seed: number, ...key: readonly KeyPart[]): number {
  return random(seed, "mask", ...key).next();
}

/** The text of a mention; a line break inside a name does not make another name of it. */
function surfaceForm(sentence: Sentence, entity: Entity): string {
  return surface(sentence, entity).replaceAll(/\s+/gu, " ");
}

function assertMode(mode: MaskMode): void {
  const rates = mode.by === "type" ? [...mode.rates.values()] : [mode.by === "fraction" ? mode.fraction : mode.rate];
  for (const rate of rates) {
    if (!(rate >= 0 && rate <= 1)) throw new InputError(`mask: a rate must be a number from 0 to 1, got ${rate}`);
  }
}

/** A misspelt type would hide nothing and say nothing. */
function assertTypesSeen(rates: ReadonlyMap<string, number>, seen: ReadonlySet<string>): void {
  for (const type of rates.keys()) {
    if (!seen.has(type)) throw new InputError(`mask: no entity has the type ${unknownName(type, [...seen].sort())}`);
  }
}
