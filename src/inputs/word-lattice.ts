import { type Sentence, type Span, tokenCount } from "../text/index.ts";
import { lattices, sinusoids } from "./lattice.ts";
import type { Numbers } from "./numbers.ts";
import type { WordMatch } from "./word-rows.ts";

export interface LatticeOptions {
  /** Numbers in the sinusoid of a distance. */
  readonly width: number;
  /** Words ask as well as tokens: where more than one layer reads the lattice. */
  readonly wordsAsk: boolean;
}

/** The lattices of a batch. A sentence's nodes are its tokens, then its words. */
export interface LatticeNumbers {
  /** `[batch, words]`: rows of the table of words. */
  readonly ids: Numbers & { readonly data: Int32Array };
  /** `[batch, nodes]`: where a node's vector stands among those of all tokens and, behind them, all words. */
  readonly sources: Numbers;
  /** `[batch, nodes]` */
  readonly visible: Numbers;
  /** `[batch, queries, nodes]`: the relation of each pair. */
  readonly pairs: Numbers;
  /** `[relations, 4]`: rows of `distances`. */
  readonly relations: Numbers;
  /** `[distances, width]`: a sinusoid each. */
  readonly distances: Numbers;
}

/** The places of a sentence's nodes do not depend on the other sentences. */
export function wordLattice(
  sentences: readonly Sentence[],
  time: number,
  find: (sentence: Sentence) => readonly WordMatch[],
  { width, wordsAsk }: LatticeOptions,
): LatticeNumbers {
  const size = sentences.length;
  const found = sentences.map(find);
  const count = found.reduce((most, matches) => Math.max(most, matches.length), 1);
  const spans = sentences.map((sentence, b): Span[] => [
    ...Array.from({ length: tokenCount(sentence) }, (_, i) => ({ start: i, end: i + 1 })),
    ...found[b]!,
  ]);
  const nodes = spans.reduce((most, { length }) => Math.max(most, length), time);
  const ids = new Int32Array(size * count);
  const sources = new Int32Array(size * nodes);
  const visible = new Float32Array(size * nodes);
  found.forEach((matches, b) => {
    const length = tokenCount(sentences[b]!);
    for (let i = 0; i < length; i++) sources[b * nodes + i] = b * time + i;
    matches.forEach(({ row }, k) => {
      ids[b * count + k] = row;
      sources[b * nodes + length + k] = size * time + b * count + k;
    });
    visible.fill(1, b * nodes, b * nodes + spans[b]!.length);
  });
  const queries = wordsAsk ? nodes : time;
  const { pairs, relations, distances } = lattices(spans, queries, nodes);
  return {
    ids: { data: ids, shape: [size, count] },
    sources: { data: sources, shape: [size, nodes] },
    visible: { data: visible, shape: [size, nodes] },
    pairs: { data: pairs, shape: [size, queries, nodes] },
    relations: { data: relations, shape: [relations.length / 4, 4] },
    distances: { data: sinusoids(distances, width), shape: [distances.length, width] },
  };
}
