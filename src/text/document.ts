/** A half-open range of tokens `[start, end)` of one sentence. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a label came from: a dictionary and its entry, a person, a model. */
export interface Provenance {
  readonly source: string;
  readonly entry?: string;
}

/** A labelled span. */
export interface Entity extends Span {
  readonly type: string;
  readonly score?: number;
  readonly provenance?: Provenance;
}

/** A span of which someone said that it is not an entity; with a type, only that it is not of this type. */
export interface Rejection extends Span {
  readonly type?: string;
}

/**
 * Tokens of which the annotation is declared complete: every entity that touches one of them is labelled.
 * With `types`, only entities of those types are.
 */
export interface CompleteRegion extends Span {
  readonly types?: readonly string[];
}

/**
 * A sentence: tokens as UTF-16 offsets into the text of its document, which is never modified, and what is known
 * about their spans. Whatever is not said here is unknown; see `stateOf`.
 */
export interface Sentence {
  /** The whole text of the document; token offsets point into it. */
  readonly text: string;
  /** Start and end of each token, alternating: token i is `text.slice(offsets[2 * i], offsets[2 * i + 1])`. */
  readonly offsets: Int32Array;
  /** Sorted by start, then end, then type; no two with the same span and type. */
  readonly entities: readonly Entity[];
  readonly rejected: readonly Rejection[];
  readonly unsure: readonly Span[];
  readonly complete: readonly CompleteRegion[];
  /** So many tokens at the beginning are a question about the rest; only models that ask make such sentences. */
  readonly question?: number;
}

export interface Document {
  readonly id?: string;
  readonly text: string;
  readonly sentences: readonly Sentence[];
}

/** What a sentence may say beside its tokens. */
export type Annotation = Partial<Pick<Sentence, "entities" | "rejected" | "unsure" | "complete">>;

const nothing: readonly never[] = Object.freeze([]);

/** Makes a sentence, with entities in canonical order. Bounds are the reader's to check, where file and line are known. */
export function makeSentence(text: string, offsets: Int32Array, annotation: Annotation = {}): Sentence {
  const { entities = nothing, rejected = nothing, unsure = nothing, complete = nothing } = annotation;
  return {
    text,
    offsets,
    entities: entities.length > 1 ? [...entities].sort(compareEntities) : entities,
    rejected,
    unsure,
    complete,
  };
}

/** The sentence with nothing said of it. */
export function withoutAnnotation({ text, offsets }: Sentence): Sentence {
  return makeSentence(text, offsets);
}

/** The same sentence with other knowledge about its spans. */
export function annotate(sentence: Sentence, annotation: Annotation): Sentence {
  return makeSentence(sentence.text, sentence.offsets, { ...sentence, ...annotation });
}

export function tokenCount(sentence: Sentence): number {
  return sentence.offsets.length >> 1;
}

export function tokenText(sentence: Sentence, index: number): string {
  return sentence.text.slice(sentence.offsets[2 * index], sentence.offsets[2 * index + 1]);
}

export function tokenTexts(sentence: Sentence): string[] {
  return Array.from({ length: tokenCount(sentence) }, (_, index) => tokenText(sentence, index));
}

/** UTF-16 offsets `[start, end)` of a span in the document's text. */
export function characters(sentence: Sentence, span: Span): Span {
  return { start: sentence.offsets[2 * span.start]!, end: sentence.offsets[2 * span.end - 1]! };
}

/** The text that a span covers, as it stands in the document. */
export function surface(sentence: Sentence, span: Span): string {
  const { start, end } = characters(sentence, span);
  return sentence.text.slice(start, end);
}

export function sameSpan(a: Span, b: Span): boolean {
  return a.start === b.start && a.end === b.end;
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

export function compareSpans(a: Span, b: Span): number {
  return a.start - b.start || a.end - b.end;
}

export function compareEntities(a: Entity, b: Entity): number {
  return compareSpans(a, b) || (a.type < b.type ? -1 : a.type > b.type ? 1 : 0);
}
