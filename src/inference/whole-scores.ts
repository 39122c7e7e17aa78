import type { ItemScores, Items, Window } from "../heads/index.ts";

/**
 * The scores of a sentence from those of its pieces: each item's from the piece that owns its start. An item that is
 * whole in no piece, because it is wider than pieces overlap, is O: the model was never shown it.
 */
export function wholeScores(
  items: Items,
  pieces: readonly { readonly window: Window; readonly scores: ItemScores }[],
  labels: number,
): ItemScores {
  const [only] = pieces;
  if (pieces.length === 1 && only!.scores.items.size === items.size) return copied(only!.scores);
  const logits = new Float32Array(items.size * labels).fill(Number.NEGATIVE_INFINITY);
  for (let item = 0; item < items.size; item++) logits[item * labels] = 0;
  const logProbs = logits.slice();
  const places = placesOf(items);
  for (const { window, scores } of pieces) {
    const [starts, ends] = [scores.items.starts(), scores.items.ends()];
    starts.forEach((start, i) => {
      if (start < window.ownStart || start >= window.ownEnd) return;
      const item = places.get(keyOf(start + window.offset, ends[i]! + window.offset));
      if (item === undefined) return;
      logits.set(scores.logits.subarray(i * labels, (i + 1) * labels), item * labels);
      logProbs.set(scores.logProbs.subarray(i * labels, (i + 1) * labels), item * labels);
    });
  }
  return { items, logits, logProbs };
}

/** Scores are views of a whole batch, which would stay in memory with them. */
function copied({ items, logits, logProbs }: ItemScores): ItemScores {
  const own = logProbs.slice();
  return { items, logProbs: own, logits: logits.buffer === logProbs.buffer ? own : logits.slice() };
}

function placesOf(items: Items): ReadonlyMap<number, number> {
  const ends = items.ends();
  return new Map(Array.from(items.starts(), (start, i) => [keyOf(start, ends[i]!), i]));
}

function keyOf(start: number, end: number): number {
  return start * 2 ** 26 + end;
}
