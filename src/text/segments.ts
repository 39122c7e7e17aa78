import { withoutOverlaps } from "./allowed.ts";
import { type Entity, type Span, sameSpan } from "./document.ts";

/** A labelled span. Where it has several types, one of them is right. */
export interface Segment extends Span {
  readonly types: readonly string[];
}

/** Labelled spans that do not overlap, the longest of those that do, and how many spans are left out. */
export function segmentsOf(entities: readonly Entity[]): {
  readonly segments: readonly Segment[];
  readonly dropped: number;
} {
  const spans: { start: number; end: number; types: string[] }[] = [];
  for (const { start, end, type } of entities) {
    const last = spans.at(-1);
    if (last && sameSpan(last, { start, end })) last.types.push(type);
    else spans.push({ start, end, types: [type] });
  }
  const segments = withoutOverlaps(spans);
  return { segments, dropped: spans.length - segments.length };
}
