import type { Span } from "../text/index.ts";
import type { Numbers } from "./numbers.ts";

/** A word at a range of tokens, with its row in the table. */
export interface WordMatch extends Span {
  readonly row: number;
}

/** A row of a batch: the words of a sentence, and the number of the token at each position, -1 where there is none. */
export interface WordRow {
  readonly matches: readonly WordMatch[];
  readonly tokens: ArrayLike<number>;
}

/** The words of a batch and where they stand. */
export interface WordNumbers {
  /** `[rows, words]`: rows of the table. */
  readonly ids: Numbers & { readonly data: Int32Array };
  /** 1 in `[rows, positions, words]` where a word stands at a position. */
  readonly at: Numbers;
}

/** The words of each row as numbers, padded to one length. At each position at most `perToken` count. */
export function wordNumbers(rows: readonly WordRow[], positions: number, perToken: number): WordNumbers {
  const placed = rows.map((row) => placeWords(row, perToken));
  const count = placed.reduce((most, { words }) => Math.max(most, words.length), 1);
  const ids = new Int32Array(rows.length * count);
  const at = new Float32Array(rows.length * positions * count);
  placed.forEach(({ words, places }, r) => {
    ids.set(words, r * count);
    for (const [position, word] of places) at[(r * positions + position) * count + word] = 1;
  });
  return {
    ids: { data: ids, shape: [rows.length, count] },
    at: { data: at, shape: [rows.length, positions, count] },
  };
}

interface PlacedWords {
  /** Rows of the table. */
  readonly words: readonly number[];
  /** Pairs of a position and the number of a word there. */
  readonly places: readonly (readonly [position: number, word: number])[];
}

/** The words that count at the positions of a row, numbered in the order in which positions meet them. */
function placeWords({ matches, tokens }: WordRow, perToken: number): PlacedWords {
  const byToken = longestAtTokens(matches, perToken);
  const numbers = new Map<WordMatch, number>();
  const places: [number, number][] = [];
  for (let position = 0; position < tokens.length; position++) {
    for (const match of byToken.get(tokens[position]!) ?? []) {
      if (!numbers.has(match)) numbers.set(match, numbers.size);
      places.push([position, numbers.get(match)!]);
    }
  }
  return { words: Array.from(numbers.keys(), ({ row }) => row), places };
}

/** At each token at most so many words that contain it: the longest, of equal ones the first. */
function longestAtTokens(matches: readonly WordMatch[], perToken: number): ReadonlyMap<number, readonly WordMatch[]> {
  const byToken = new Map<number, WordMatch[]>();
  const length = ({ start, end }: WordMatch): number => end - start;
  for (const match of matches.toSorted((a, b) => length(b) - length(a) || a.start - b.start)) {
    for (let token = match.start; token < match.end; token++) {
      const there = byToken.get(token) ?? [];
      byToken.set(token, there);
      if (there.length < perToken) there.push(match);
    }
  }
  return byToken;
}
