import type { Tag } from "../text/index.ts";
import type { Candidate, Decoding, ItemScores, Items } from "./head.ts";
import { spanCandidates } from "./span/candidates.ts";
import { spanGrid } from "./span/grid.ts";
import { tagCandidates } from "./token/candidates.ts";
import { tokensOf } from "./token/tokens-of.ts";

/** A way of decoding at work. */
export interface Decoder {
  /** The items of a sentence of so many tokens. */
  items(length: number): Items;
  candidates(scores: ItemScores): Candidate[];
}

export function decoder(decoding: Decoding, types: readonly string[]): Decoder {
  if (decoding.kind === "spans")
    return { items: (length) => spanGrid(length, decoding.maxWidth), candidates: spanCandidates };
  const tags = decoding.tags.map(
    ({ role, type }): Tag => ({ role, type, text: role === "O" ? "O" : `${role}-${type}` }),
  );
  const tagSet = { size: tags.length, tags };
  return { items: tokensOf, candidates: (scores) => tagCandidates(scores, decoding.chain, tagSet, types) };
}

/** Scores with something added for each label; probabilities are shared out anew within each item. */
export function biased(scores: ItemScores, biases: ArrayLike<number>): ItemScores {
  const added = Float64Array.from(biases);
  const labels = added.length;
  if (added.every((bias) => bias === 0)) return scores;
  const [logits, shares] = [scores.logits.slice(), scores.logProbs.slice()];
  for (let from = 0; from < shares.length; from += labels) {
    let total = 0;
    for (let label = 0; label < labels; label++) {
      logits[from + label]! += added[label]!;
      shares[from + label]! += added[label]!;
      total += Math.exp(shares[from + label]!);
    }
    const log = Math.log(total);
    for (let label = from; label < from + labels; label++) shares[label]! -= log;
  }
  return { items: scores.items, logits, logProbs: shares };
}
