import { type Candidate, type Overlap, shift, type Window } from "../heads/pure.ts";
import { compareSpans, type Entity, overlaps, type Span } from "../text/index.ts";

/** Keeps the best spans first; equal scores go to the smaller start, then to the smaller end. */
export function resolve(candidates: readonly Candidate[], overlap: Overlap): Candidate[] {
  if (overlap === "all") return [...candidates].sort(compareSpans);
  const order = [...candidates].sort((a, b) => b.score - a.score || compareSpans(a, b));
  const widest = candidates.reduce((most, { start, end }) => Math.max(most, end - start), 0);
  const forbidden = overlap === "flat" ? overlaps : crosses;
  const keptByStart = new Map<number, Candidate[]>();
  // Only spans that start nearby can share a token: the time is linear in the length of the text.
  const isFree = (candidate: Candidate): boolean => {
    for (let start = candidate.start - widest + 1; start < candidate.end; start++) {
      if (keptByStart.get(start)?.some((other) => forbidden(candidate, other))) return false;
    }
    return true;
  };
  const kept = order.filter((candidate) => {
    if (!isFree(candidate)) return false;
    const here = keptByStart.get(candidate.start);
    if (here) here.push(candidate);
    else keptByStart.set(candidate.start, [candidate]);
    return true;
  });
  return kept.sort(compareSpans);
}

function crosses(a: Span, b: Span): boolean {
  return overlaps(a, b) && !within(a, b) && !within(b, a);
}

function within(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** The candidates that a window has to decide, with tokens numbered in the whole text. */
export function owned(candidates: readonly Candidate[], { offset, ownStart, ownEnd }: Window): Candidate[] {
  const own = candidates.filter(({ start }) => start >= ownStart && start < ownEnd);
  return own.map((candidate) => shift(candidate, offset));
}

export function entityOf({ start, end, label, score }: Candidate, types: readonly string[]): Entity {
  return { start, end, type: types[label - 1]!, score: Math.exp(score) };
}
