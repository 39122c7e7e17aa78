import { compareSpans, overlaps, type Span } from "../text/index.ts";

/** A span with the label that scores highest there and the log-probability of it. */
export interface Candidate extends Span {
  readonly label: number;
  readonly score: number;
}

/**
 * Which predicted spans may stand together.
 * - `flat`: no two share a token.
 * - `nested`: one may lie within another, but they do not cross.
 * - `all`: every span counts.
 */
export type Overlap = "flat" | "nested" | "all";

/** Keeps the best spans first; equal scores go to the smaller start, then to the smaller end. */
export function resolve(candidates: readonly Candidate[], overlap: Overlap): Candidate[] {
  const order = [...candidates].sort((a, b) => b.score - a.score || compareSpans(a, b));
  const kept: Candidate[] = [];
  const forbidden = overlap === "flat" ? overlaps : crosses;
  for (const candidate of order) {
    if (overlap === "all" || !kept.some((other) => forbidden(candidate, other))) kept.push(candidate);
  }
  return kept.sort(compareSpans);
}

function crosses(a: Span, b: Span): boolean {
  return overlaps(a, b) && !within(a, b) && !within(b, a);
}

function within(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}
