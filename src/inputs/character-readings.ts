import { type Sentence, tokenTexts } from "../text/index.ts";

/** How a language model over characters reads a text. */
export interface ReadingOptions {
  /** By number. */
  readonly characters: readonly string[];
  /** The number of characters that are not known. */
  readonly unknown: number;
  /** What stands before and behind a text. */
  readonly document_start: string;
  readonly end: string;
}

/** A sentence as one direction reads it, and after which characters the states of its words are taken. */
export interface Reading {
  readonly ids: Int32Array;
  readonly at: Int32Array;
}

/** Characters → numbers. */
export function alphabetOf({ characters }: Pick<ReadingOptions, "characters">): ReadonlyMap<string, number> {
  return new Map(characters.map((character, i) => [character, i]));
}

/**
 * The tokens with one space between them, between the two markers. The state of a word is that after the character behind
 * it, seen in the direction of reading: a space, or the marker at the end.
 */
export function readingsOf(
  sentence: Sentence,
  { document_start, end, unknown }: Omit<ReadingOptions, "characters">,
  alphabet: ReadonlyMap<string, number>,
): { readonly forward: Reading; readonly backward: Reading } {
  const words = tokenTexts(sentence).map((word) => [...word]);
  const [starts, ends] = [new Int32Array(words.length), new Int32Array(words.length)];
  const characters: string[] = [];
  words.forEach((word, i) => {
    if (i > 0) characters.push(" ");
    starts[i] = characters.length;
    for (const character of word) characters.push(character);
    ends[i] = characters.length;
  });
  const before = [...document_start];
  const idsOf = (text: readonly string[]): Int32Array =>
    Int32Array.from([...before, ...text, ...end], (character) => alphabet.get(character) ?? unknown);
  const { length } = characters;
  return {
    forward: { ids: idsOf(characters), at: ends.map((place) => before.length + place) },
    backward: { ids: idsOf(characters.toReversed()), at: starts.map((place) => before.length + length - place) },
  };
}
