import { type Document, type Sentence, type Span, tokenCount } from "../../text/index.ts";

/** A sentence and where it stands: the index of its document and its own index in it, both from 0. */
export interface PlacedSentence {
  readonly value: Sentence;
  readonly document: number;
  readonly sentence: number;
  /** The document's name, where it has one. */
  readonly id?: string;
}

/** A span of tokens and where its sentence stands. */
export interface Position extends Span {
  readonly document: number;
  readonly sentence: number;
  readonly id?: string;
}

/** All sentences that have tokens. */
export function placeSentences(documents: Iterable<Document>): PlacedSentence[] {
  const placed: PlacedSentence[] = [];
  let document = 0;
  for (const { id, sentences } of documents) {
    for (const [sentence, value] of sentences.entries()) {
      if (tokenCount(value) === 0) continue;
      placed.push(id === undefined ? { value, document, sentence } : { value, document, sentence, id });
    }
    document++;
  }
  return placed;
}

export function positionOf({ document, sentence, id }: PlacedSentence, { start, end }: Span): Position {
  const position = { document, sentence, start, end };
  return id === undefined ? position : { ...position, id };
}
