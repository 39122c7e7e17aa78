import { overlaps, type Sentence, type Span, tokenCount } from "../text/index.ts";
import { spanCount } from "../util/span-counts.ts";

/**
 * The spans of a sentence of n tokens up to a width, numbered by start, then by width: what a span model scores.
 * Everything about spans that is stored in arrays goes by these numbers.
 */
export interface SpanGrid {
  readonly length: number;
  readonly maxWidth: number;
  readonly size: number;
  /** The number of a span; −1 for spans wider than the limit. */
  index(span: Span): number;
  starts(): Int32Array;
  ends(): Int32Array;
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

/** What training may do with a span: a label (0 is a known negative), or one of these. */
export const unknownSpan = -1;
export const excludedSpan = -2;

/** The state of every span of the grid as a number: label id, 0, `unknownSpan` or `excludedSpan` (unsure). */
export function spanStates(
  sentence: Sentence,
  grid: SpanGrid,
  labelId: (type: string) => number,
  types: readonly string[],
): Int16Array {
  const states = new Int16Array(grid.size).fill(unknownSpan);
  const all = (named: readonly string[] | undefined): boolean =>
    named === undefined || types.every((type) => named.includes(type));
  const put = (span: Span, state: number): void => {
    const index = grid.index(span);
    if (index >= 0) states[index] = state;
  };
  const regions = sentence.complete.filter(({ types: named }) => all(named));
  if (regions.length > 0) {
    let at = 0;
    for (let start = 0; start < grid.length; start++) {
      for (let end = start + 1; end <= Math.min(grid.length, start + grid.maxWidth); end++, at++) {
        if (regions.some((region) => overlaps(region, { start, end }))) states[at] = 0;
      }
    }
  }
  for (const rejection of sentence.rejected)
    if (all(rejection.type === undefined ? undefined : [rejection.type])) put(rejection, 0);
  for (const span of sentence.unsure) put(span, excludedSpan);
  for (const entity of sentence.entities) put(entity, labelId(entity.type));
  return states;
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
