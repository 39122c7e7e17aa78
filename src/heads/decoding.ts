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

/** Scores with a number added to each label before decoding; probabilities stay what the model says. */
export function biased({ logits, ...scores }: ItemScores, bias: readonly number[]): ItemScores {
  if (bias.every((each) => each === 0)) return { ...scores, logits };
  return { ...scores, logits: logits.map((score, i) => score + bias[i % bias.length]!) };
}
