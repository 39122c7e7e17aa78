import type { Document, Entity, Provenance, Rejection, Sentence, Span } from "../text/index.ts";
import { annotate, characters, isBlank, type OffsetMap, type OffsetUnit, offsetMap, tokenise } from "../text/index.ts";
import { messageOf, quote } from "../util/errors.ts";
import { longWork } from "../util/long-work.ts";
import { checkedEntities } from "./entities.ts";
import type { ReadOptions } from "./format.ts";
import { type Fail, type Fields, integerOf, labelOf } from "./rows.ts";

/** A text with annotations by character offsets, as found in a file; spans are UTF-16 once they are here. */
export interface TextRecord {
  readonly id?: string | undefined;
  readonly text: string;
  readonly tokens?: Int32Array | undefined;
  /** Where its sentences start. */
  readonly sentences?: readonly number[] | undefined;
  /** One span may have several types. */
  readonly severalTypes?: boolean;
  readonly entities?: readonly Entity[];
  readonly rejected?: readonly Rejection[];
  readonly unsure?: readonly Span[];
  /** Somebody went through the whole text: what silence means then is for the caller to say. */
  readonly finished: boolean;
}

/** Characters of a text that takes the time of a whole file. */
const longText = 1_000_000;

export function textDocument(record: TextRecord, options: ReadOptions, fail: Fail): Document {
  const { text, entities = [], rejected = [], unsure = [], id, tokens, sentences, finished } = record;
  const complete = finished && options.silence === "negative" ? [{ start: 0, end: text.length }] : [];
  const { strict, flat } = options;
  const rules = { strict, flat, severalTypes: record.severalTypes ?? false };
  const checked = entities.length === 0 ? entities : checkedEntities(entities, rules, fail);
  const annotations = { entities: checked, rejected, unsure, complete };
  const made = (): Document => tokenise(text, annotations, { id, tokens, sentences });
  const document = text.length > longText ? longWork(made) : made();
  if (checked.length === 0) return document;
  // Spans that differ in white space alone have become the same.
  const distinct = document.sentences.map((sentence) => {
    const kept = checkedEntities(sentence.entities, rules, fail);
    return kept.length === sentence.entities.length ? sentence : annotate(sentence, { entities: kept });
  });
  return { ...document, sentences: distinct };
}

/** Reads the spans of one text, whatever it counts in. */
export interface SpanReader {
  /** Any part of the text. */
  range(start: unknown, end: unknown): Span;
  /** A part with something in it. */
  span(start: unknown, end: unknown): Span;
  entity(start: unknown, end: unknown, label: unknown): Entity;
}

export function spanReader(text: string, unit: OffsetUnit, options: ReadOptions, fail: Fail): SpanReader {
  let map: OffsetMap | undefined;
  const offset = (value: unknown, what: string): number => {
    const found = integerOf(value, what, fail);
    map ??= offsetMap(text, options.offsets ?? unit);
    try {
      return map.toUtf16(found);
    } catch (error) {
      return fail(messageOf(error));
    }
  };
  const range = (start: unknown, end: unknown): Span => {
    const found = { start: offset(start, "the start of a span"), end: offset(end, "the end of a span") };
    if (found.start >= found.end) fail(`a span must end after its start, got [${quote(start)}, ${quote(end)})`);
    return found;
  };
  const span = (start: unknown, end: unknown): Span => {
    const found = range(start, end);
    const covered = text.slice(found.start, found.end);
    if (isBlank(covered)) fail(`the span [${quote(start)}, ${quote(end)}) holds white space only`);
    if (options.strict && (isBlank(covered.charAt(0)) || isBlank(covered.at(-1)!))) {
      fail(`the span [${quote(start)}, ${quote(end)}) begins or ends with white space: ${quote(covered)}`);
    }
    return found;
  };
  return { range, span, entity: (start, end, label) => ({ ...span(start, end), type: labelOf(label, fail) }) };
}

/** All spans of a kind in a document, as offsets of characters in a unit. */
export function characterSpans<S extends Span>(
  document: Document,
  unit: OffsetUnit,
  pick: (sentence: Sentence) => readonly S[],
): S[] {
  let map: OffsetMap | undefined;
  return document.sentences.flatMap((sentence) =>
    pick(sentence).map((span) => {
      const { start, end } = characters(sentence, span);
      if (unit === "utf-16") return { ...span, start, end };
      map ??= offsetMap(document.text, unit);
      return { ...span, start: map.fromUtf16(start), end: map.fromUtf16(end) };
    }),
  );
}

/** The starts and ends of tokens that a file lists, in order. */
export function tokenBounds(items: readonly Fields[], reader: SpanReader, fail: Fail): Int32Array {
  const bounds: number[] = [];
  for (const { start, end } of items) {
    const span = reader.range(start, end);
    if (span.start < (bounds.at(-1) ?? 0))
      fail(`tokens must follow one another, got [${quote(start)}, ${quote(end)}) out of order`);
    bounds.push(span.start, span.end);
  }
  return Int32Array.from(bounds);
}

/** The tokens of a document for a file that lists them; `spaced` when there is something before the next. */
export function tokenRows(document: Document, unit: OffsetUnit): TokenRow[] {
  const map = offsetMap(document.text, unit);
  const bounds = document.sentences.flatMap(({ offsets }) => [...offsets]);
  return Array.from({ length: bounds.length >> 1 }, (_, i) => {
    const [start, end] = [bounds[2 * i]!, bounds[2 * i + 1]!];
    const spaced = end < (bounds[2 * i + 2] ?? document.text.length);
    return { text: document.text.slice(start, end), start: map.fromUtf16(start), end: map.fromUtf16(end), spaced };
  });
}

export interface TokenRow extends Span {
  readonly text: string;
  readonly spaced: boolean;
}

/** A source as an entity holds it, from the flat keys of a file. */
export function provenanceOf(source: unknown, entry: unknown): { provenance?: Provenance } {
  if (typeof source !== "string") return {};
  return { provenance: typeof entry === "string" ? { source, entry } : { source } };
}
