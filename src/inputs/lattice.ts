import type { Span } from "../text/index.ts";

/** The lattices of a batch as numbers: how their nodes lie to one another. */
export interface Lattices {
  /** `[batch, queries, nodes]`: the number of the relation of each pair. Padding has relation 0. */
  readonly pairs: Int32Array;
  /** `[relations, 4]`: for each relation the rows of `distances` that say it. */
  readonly relations: Int32Array;
  /** The distances that occur. */
  readonly distances: readonly number[];
}

/**
 * Every node of a lattice is a range of tokens, with a head and a tail; the relation of two of them is the distances
 * head − head, head − tail, tail − head and tail − tail (FLAT, Li et al. 2020). They follow from the distance of the heads
 * and the two lengths, so a batch has few relations and each is written once. The first `queries` nodes ask, all nodes
 * answer.
 */
export function lattices(sentences: readonly (readonly Span[])[], queries: number, nodes: number): Lattices {
  const relations = numbering();
  const distances = numbering();
  const rows: number[] = [];
  const pairs = new Int32Array(sentences.length * queries * nodes);
  const reach = 2 * Math.max(1, ...sentences.flatMap((spans) => spans.map(({ end }) => end)));
  const relate = (a: Span, b: Span): number => {
    const key = ((a.start - b.start + reach) * reach + a.end - a.start) * reach + b.end - b.start;
    const known = relations.size;
    const number = relations.of(key);
    if (number === known) {
      const [headA, tailA, headB, tailB] = [a.start, a.end - 1, b.start, b.end - 1];
      rows.push(...[headA - headB, headA - tailB, tailA - headB, tailA - tailB].map((d) => distances.of(d)));
    }
    return number;
  };
  // Relation 0 is that of a token to itself, so that there is always one.
  relate({ start: 0, end: 1 }, { start: 0, end: 1 });
  sentences.forEach((spans, b) => {
    for (let i = 0; i < Math.min(queries, spans.length); i++) {
      const row = (b * queries + i) * nodes;
      for (let j = 0; j < spans.length; j++) pairs[row + j] = relate(spans[i]!, spans[j]!);
    }
  });
  return { pairs, relations: Int32Array.from(rows), distances: distances.keys() };
}

/** Sinusoids of distances, `[distances, width]`: sin(d / 10000^(2k / width)) at 2k, and the cosine at 2k + 1. */
export function sinusoids(distances: readonly number[], width: number): Float32Array {
  const values = new Float32Array(distances.length * width);
  distances.forEach((distance, row) => {
    for (let i = 0; i < width; i++) {
      const angle = distance / 10_000 ** ((i - (i % 2)) / width);
      values[row * width + i] = i % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
    }
  });
  return values;
}

interface Numbering {
  readonly size: number;
  of(key: number): number;
  keys(): number[];
}

/** Numbers for keys in the order in which they come. */
function numbering(): Numbering {
  const numbers = new Map<number, number>();
  return {
    get size() {
      return numbers.size;
    },
    of(key) {
      const known = numbers.get(key);
      if (known !== undefined) return known;
      numbers.set(key, numbers.size);
      return numbers.size - 1;
    },
    keys: () => [...numbers.keys()],
  };
}
