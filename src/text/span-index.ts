import { compareSpans, overlaps, type Span, sameSpan } from "./document.ts";

/** Answers what stands where in a list of spans, in logarithmic time after one sorting. */
export interface SpanIndex<S extends Span> {
  /** Those with exactly these bounds, in the order of the list. */
  at(span: Span): readonly S[];
  /** Those that share a token with a span; by start and then by end in a list of more than a few. */
  overlapping(span: Span): readonly S[];
  /** Whether some of them shares a token with a span. */
  touches(span: Span): boolean;
}

const remembered = new WeakMap<readonly Span[], SpanIndex<Span>>();

/** The index of a list, which is made once: lists do not change. */
export function spanIndex<S extends Span>(spans: readonly S[]): SpanIndex<S> {
  if (spans.length <= few) return scanned(spans);
  const known = remembered.get(spans) as SpanIndex<S> | undefined;
  if (known !== undefined) return known;
  const made = sortedIndex(spans);
  remembered.set(spans, made);
  return made;
}

/** So many spans are looked through faster than an index is made. */
const few = 16;

function scanned<S extends Span>(spans: readonly S[]): SpanIndex<S> {
  return {
    at: (span) => spans.filter((other) => sameSpan(other, span)),
    overlapping: (span) => spans.filter((other) => overlaps(other, span)),
    touches: (span) => spans.some((other) => overlaps(other, span)),
  };
}

function sortedIndex<S extends Span>(spans: readonly S[]): SpanIndex<S> {
  const sorted = spans.toSorted(compareSpans);
  const reach = new Float64Array(sorted.length); // the furthest end up to each span
  sorted.forEach(({ end }, i) => {
    reach[i] = i === 0 ? end : Math.max(end, reach[i - 1]!);
  });
  /** How many spans come before the first that does not. */
  const count = (comesBefore: (place: number) => boolean): number => {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (comesBefore(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const startingBefore = (token: number): number => count((place) => sorted[place]!.start < token);
  return {
    at(span) {
      const first = count((place) => compareSpans(sorted[place]!, span) < 0);
      let end = first;
      while (end < sorted.length && sameSpan(sorted[end]!, span)) end++;
      return sorted.slice(first, end);
    },
    overlapping(span) {
      const first = count((place) => reach[place]! <= span.start);
      return sorted.slice(first, startingBefore(span.end)).filter((other) => overlaps(other, span));
    },
    touches(span) {
      const before = startingBefore(span.end);
      return before > 0 && reach[before - 1]! > span.start && span.start < span.end;
    },
  };
}

/** Tells which tokens lie in one of some spans, after one pass over them. */
export function coverage(spans: readonly Span[]): (token: number) => boolean {
  if (spans.length <= few) return (token) => spans.some(({ start, end }) => start <= token && token < end);
  const last = spans.reduce((most, { end }) => Math.max(most, end), 0);
  const change = new Int32Array(last + 1);
  for (const { start, end } of spans) {
    change[start]!++;
    change[end]!--;
  }
  for (let i = 1; i < change.length; i++) change[i]! += change[i - 1]!;
  return (token) => (change[token] ?? 0) > 0;
}
