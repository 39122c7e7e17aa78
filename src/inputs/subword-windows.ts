import type { Span } from "../text/index.ts";

/** How a sentence goes through a model of limited length. */
export interface WindowPlan {
  /** Ranges of words, in order. Each fits into the model; neighbours overlap. */
  readonly windows: readonly Span[];
  /** For each word, the number of the window that gives its vectors. */
  readonly homes: Int32Array;
}

/**
 * Splits words of `counts[i]` sub-words into windows of at most `capacity` sub-words. A window repeats up to `overlap`
 * sub-words of the one before, and the last reaches back as far as it can, since context costs nothing there. Every
 * word is at home in the window where the nearer edge is farthest; the earlier window wins a tie.
 */
export function planWindows(counts: readonly number[], capacity: number, overlap: number): WindowPlan {
  const ends = cumulate(counts);
  const within = (start: number, end: number): number => ends[end]! - ends[start]!;
  const windows: Span[] = [];
  for (let end = 0; end < counts.length || windows.length === 0; ) {
    let start = end;
    // The next word must fit as well, else the window would bring nothing new.
    const room = Math.min(overlap, capacity - (counts[end] ?? 0));
    while (start > 0 && within(start - 1, end) <= room) start--;
    while (end < counts.length && within(start, end + 1) <= capacity) end++;
    if (end === counts.length) while (start > 0 && within(start - 1, end) <= capacity) start--;
    windows.push({ start, end });
    if (start === end && counts.length > 0) throw new RangeError(`windows: a word exceeds the capacity of ${capacity}`);
  }
  return { windows, homes: chooseHomes(counts.length, windows, within) };
}

function chooseHomes(
  words: number,
  windows: readonly Span[],
  within: (start: number, end: number) => number,
): Int32Array {
  const homes = new Int32Array(words);
  const best = new Int32Array(words).fill(-1);
  windows.forEach(({ start, end }, number) => {
    for (let word = start; word < end; word++) {
      const depth = Math.min(within(start, word), within(word + 1, end));
      if (depth <= best[word]!) continue;
      best[word] = depth;
      homes[word] = number;
    }
  });
  return homes;
}

/** `[0, a, a + b, …]` */
function cumulate(counts: readonly number[]): Int32Array {
  const sums = new Int32Array(counts.length + 1);
  counts.forEach((count, i) => {
    sums[i + 1] = sums[i]! + count;
  });
  return sums;
}

/** A word of more sub-words than fit keeps its beginning and its end, so that both its vectors exist. */
export function shortened(pieces: readonly number[], capacity: number): readonly number[] {
  if (pieces.length <= capacity) return pieces;
  const tail = Math.floor(capacity / 2);
  return [...pieces.slice(0, capacity - tail), ...(tail > 0 ? pieces.slice(-tail) : [])];
}
