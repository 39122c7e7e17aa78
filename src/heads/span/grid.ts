import {
  allTypes,
  itemState,
  noTypes,
  openState,
  restriction,
  type Sentence,
  type Span,
  type TypeSets,
  tokenCount,
  tokenExclusions,
} from "../../text/index.ts";
import { spanCount } from "../../util/span-counts.ts";
import type { Items } from "../head.ts";

/**
 * The spans of a sentence of n tokens up to a width, numbered by start, then by width: what a span model scores.
 * Everything about spans that is stored in arrays goes by these numbers.
 */
export interface SpanGrid extends Items {
  readonly length: number;
  readonly maxWidth: number;
  /** The number of a span; −1 for spans wider than the limit. */
  index(span: Span): number;
}

export function spanGrid(length: number, maxWidth: number): SpanGrid {
  const width = Math.min(length, maxWidth);
  // Starts that have all widths come first; the last ones have fewer.
  const full = length - width + 1;
  const size = spanCount(length, maxWidth);
  const before = (start: number): number => {
    const short = Math.max(0, start - full);
    return start * width - (short * (short + 1)) / 2;
  };
  const fill = (each: (start: number, end: number) => number): Int32Array => {
    const result = new Int32Array(size);
    let at = 0;
    for (let start = 0; start < length; start++) {
      for (let end = start + 1; end <= Math.min(length, start + width); end++) result[at++] = each(start, end);
    }
    return result;
  };
  return {
    length,
    maxWidth,
    size,
    index: ({ start, end }) => (end - start > width ? -1 : before(start) + (end - start - 1)),
    starts: () => fill((start) => start),
    ends: () => fill((_, end) => end),
  };
}

/** What the annotation makes of every span of the grid, as an `itemState`. */
export function spanStates(sentence: Sentence, grid: SpanGrid, sets: TypeSets): Int16Array {
  const states = new Int16Array(grid.size).fill(itemState.unknown);
  const put = (span: Span, state: (before: number) => number): void => {
    const index = grid.index(span);
    if (index >= 0) states[index] = state(states[index]!);
  };
  if (sentence.complete.length > 0) {
    const tokens = tokenExclusions(sentence, sets);
    let at = 0;
    for (let start = 0; start < grid.length; start++) {
      let excluded = noTypes;
      for (let end = start + 1; end <= Math.min(grid.length, start + grid.maxWidth); end++, at++) {
        excluded = sets.union(excluded, tokens[end - 1]!);
        states[at] = openState(excluded);
      }
    }
  }
  for (const rejection of sentence.rejected) {
    const set = sets.number(rejection.type === undefined ? undefined : [rejection.type]);
    put(rejection, (before) => openState(sets.union(set, exclusionOf(before))));
  }
  for (const span of sentence.unsure) put(span, () => itemState.excluded);
  for (const entity of sentence.entities) put(entity, () => sets.types.indexOf(entity.type) + 1);
  return states;
}

function exclusionOf(state: number): number {
  if (state === itemState.outside) return allTypes;
  return restriction(state) ?? noTypes;
}

/** How many labelled entities a width limit leaves out, and the widest of them. */
export function widthLoss(
  sentences: Iterable<Sentence>,
  maxWidth: number,
): { readonly lost: number; readonly widest: number } {
  let [lost, widest] = [0, 0];
  for (const { entities } of sentences) {
    for (const { start, end } of entities) {
      if (end - start > maxWidth) lost++;
      widest = Math.max(widest, end - start);
    }
  }
  return { lost, widest };
}

/** The narrowest limit that keeps a share of the entities. */
export function widthFor(sentences: Iterable<Sentence>, share: number): number {
  const widths: number[] = [];
  for (const { entities } of sentences) for (const { start, end } of entities) widths.push(end - start);
  widths.sort((a, b) => a - b);
  return widths[Math.max(0, Math.ceil(share * widths.length) - 1)] ?? 1;
}

export function longest(sentences: readonly Sentence[]): number {
  return Math.max(1, ...sentences.map(tokenCount));
}
