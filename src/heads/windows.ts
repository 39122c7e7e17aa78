import { makeSentence, type Sentence, type Span, tokenCount } from "../text/index.ts";

/** A piece of a long sentence. Spans that start in `[ownStart, ownEnd)` (numbered in the piece) are this piece's to decide. */
export interface Window {
  readonly sentence: Sentence;
  /** Number of the piece's first token in the whole sentence. */
  readonly offset: number;
  readonly ownStart: number;
  readonly ownEnd: number;
}

/** Tokens of a piece, and tokens that neighbouring pieces share. */
export interface WindowOptions {
  readonly size: number;
  readonly overlap: number;
}

/** Long enough that hardly any sentence is cut, short enough that memory stays flat. */
const windowDefaults: WindowOptions = { size: 256, overlap: 96 };

/**
 * Cuts a sentence into overlapping pieces, so that memory is linear in its length. Every span up to half the overlap is
 * whole in the piece that owns its start, with context on both sides.
 */
export function windows(sentence: Sentence, { size, overlap }: WindowOptions = windowDefaults): Window[] {
  const length = tokenCount(sentence);
  if (length <= size) return [{ sentence, offset: 0, ownStart: 0, ownEnd: length }];
  const step = size - overlap;
  const pieces: Window[] = [];
  for (let offset = 0; ; offset += step) {
    const end = Math.min(length, offset + size);
    const last = end === length;
    pieces.push({
      sentence: piece(sentence, { start: offset, end }),
      offset,
      ownStart: offset === 0 ? 0 : overlap / 2,
      ownEnd: last ? end - offset : size - overlap / 2,
    });
    if (last) return pieces;
  }
}

/** All pieces of all sentences that have tokens: what training and prediction put into batches. */
export function pieces(sentences: readonly Sentence[]): Sentence[] {
  return sentences.flatMap((sentence) =>
    tokenCount(sentence) > 0 ? windows(sentence).map((window) => window.sentence) : [],
  );
}

function piece(sentence: Sentence, { start, end }: Span): Sentence {
  const inside = <S extends Span>(spans: readonly S[]): S[] =>
    spans.filter((span) => span.start >= start && span.end <= end).map((span) => shift(span, -start));
  const cut = sentence.complete.filter((region) => region.start < end && region.end > start);
  return makeSentence(sentence.text, sentence.offsets.slice(2 * start, 2 * end), {
    entities: inside(sentence.entities),
    rejected: inside(sentence.rejected),
    unsure: inside(sentence.unsure),
    complete: cut.map((region) => ({
      ...region,
      start: Math.max(0, region.start - start),
      end: Math.min(end, region.end) - start,
    })),
  });
}

export function shift<S extends Span>(span: S, by: number): S {
  return { ...span, start: span.start + by, end: span.end + by };
}
