import { overlaps, type Span } from "../../text/index.ts";
import type { Random } from "../../util/random.ts";
import { spanCount } from "../../util/span-counts.ts";
import { spanGrid } from "../span/grid.ts";

/**
 * Spans of tokens that are free, drawn one after the other, each of the candidates equally likely; a span that overlaps
 * one drawn before is passed over. Ends after as many tries as there are candidates. Sorted by start.
 */
export function drawFreeSpans(
  length: number,
  isFree: (token: number) => boolean,
  count: number,
  { maxWidth, rng }: { readonly maxWidth: number; readonly rng: Random },
): Span[] {
  const runs = freeRuns(length, isFree);
  const sizes = runs.map(({ start, end }) => spanCount(end - start, maxWidth));
  const candidates = sizes.reduce((total, size) => total + size, 0);
  const drawn: Span[] = [];
  for (let tries = 0; tries < candidates && drawn.length < count; tries++) {
    let place = rng.below(candidates);
    const run = sizes.findIndex((size) => {
      place -= size;
      return place < 0;
    });
    const span = spanAt(runs[run]!, place + sizes[run]!, maxWidth);
    if (!drawn.some((other) => overlaps(other, span))) drawn.push(span);
  }
  return drawn.sort((a, b) => a.start - b.start);
}

function freeRuns(length: number, isFree: (token: number) => boolean): Span[] {
  const runs: Span[] = [];
  let start = -1;
  for (let token = 0; token <= length; token++) {
    const free = token < length && isFree(token);
    if (free && start < 0) start = token;
    else if (!free && start >= 0) {
      runs.push({ start, end: token });
      start = -1;
    }
  }
  return runs;
}

function spanAt({ start, end }: Span, place: number, maxWidth: number): Span {
  const grid = spanGrid(end - start, maxWidth);
  return { start: start + grid.starts()[place]!, end: start + grid.ends()[place]! };
}
