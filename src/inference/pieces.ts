import { type Items, type Window, windows } from "../heads/pure.ts";
import { type Sentence, tokenCount } from "../text/index.ts";

/** A piece of a sentence, and the places it takes in a row of the encoder's batch. */
export interface Piece {
  /** Number of the sentence. */
  readonly at: number;
  readonly window: Window;
  readonly size: number;
}

/** Places of the encoder, padding included, and items that go through the model at once. */
const budget = { places: 1024, items: 20_000 };

/** The pieces of sentences, in order; made when they are asked for, because a text can have very many. */
export function* cut(
  sentences: Iterable<Sentence>,
  size: (sentence: Sentence) => number,
): Generator<Piece, void, undefined> {
  let at = 0;
  for (const sentence of sentences) {
    if (tokenCount(sentence) > 0)
      for (const window of windows(sentence)) yield { at, window, size: size(window.sentence) };
    at++;
  }
}

/** Pieces in groups of like size that may go through a model at once. */
export function* pieceGroups(
  given: Iterable<Piece>,
  items: (length: number) => Pick<Items, "size">,
): Generator<Piece[]> {
  const pieces = [...given].sort((a, b) => a.size - b.size);
  const fits = (rows: number, places: number, length: number): boolean =>
    rows * places <= budget.places && rows * items(length).size <= budget.items;
  let group: Piece[] = [];
  let longest = 0;
  for (const piece of pieces) {
    const length = tokenCount(piece.window.sentence);
    if (group.length > 0 && !fits(group.length + 1, piece.size, Math.max(longest, length))) {
      yield group;
      group = [];
      longest = 0;
    }
    group.push(piece);
    longest = Math.max(longest, length);
  }
  if (group.length > 0) yield group;
}
