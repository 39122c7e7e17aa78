import type { Tag } from "../text/index.ts";
import type { Decoding, FindCandidates, ItemScores, Items } from "./head.ts";
import { spanCandidates } from "./span/candidates.ts";
import { spanGrid } from "./span/grid.ts";
import { tagCandidates } from "./token/candidates.ts";
import { tokensOf } from "./token/tokens-of.ts";

/** A way of decoding at work. */
export interface Decoder {
  /** The items of a sentence of so many tokens. */
  items(length: number): Items;
  readonly candidates: FindCandidates;
}

export function decoder(decoding: Decoding, types: readonly string[]): Decoder {
  if (decoding.kind === "spans")
    return { items: (length) => spanGrid(length, decoding.maxWidth), candidates: spanCandidates };
  const tags = decoding.tags.map(
    ({ role, type }): Tag => ({ role, type, text: role === "O" ? "O" : `${role}-${type}` }),
  );
  const tagSet = { size: tags.length, tags };
  return { items: tokensOf, candidates: tagCandidates(decoding.chain, tagSet, types) };
}

/** Scores with something added for each label; probabilities are shared out anew within each item, once they are asked for. */
export function biased(scores: ItemScores, biases: ArrayLike<number>): ItemScores {
  const added = Float64Array.from(biases);
  if (added.every((bias) => bias === 0)) return scores;
  const logits = scores.logits.slice();
  for (let from = 0; from < logits.length; from += added.length)
    for (let label = 0; label < added.length; label++) logits[from + label]! += added[label]!;
  let shares: Float32Array | undefined;
  return {
    items: scores.items,
    logits,
    get logProbs() {
      shares ??= sharedOut(scores.logProbs, added);
      return shares;
    },
  };
}

function sharedOut(logProbs: Float32Array, added: Float64Array): Float32Array {
  const shares = logProbs.slice();
  const labels = added.length;
  for (let from = 0; from < shares.length; from += labels) {
    let total = 0;
    for (let label = 0; label < labels; label++) {
      shares[from + label]! += added[label]!;
      total += Math.exp(shares[from + label]!);
    }
    const log = Math.log(total);
    for (let label = from; label < from + labels; label++) shares[label]! -= log;
  }
  return shares;
}
