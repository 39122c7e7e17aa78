import { type Segment, segmentsOf, tokenCount } from "../../text/index.ts";
import type { Change, SpanItem } from "../span/items.ts";

/** What the tokens of a sentence are part of. */
export interface Segmented {
  readonly segments: readonly Segment[];
  /** What earlier stages say of each segment. */
  readonly changes: readonly (Change | undefined)[];
  /** The number of the segment that each token is in, from 1. */
  readonly owners: Int32Array;
  /** 1 for tokens that may be part of an entity of which nothing can be learned. */
  readonly open: Uint8Array;
}

export function segmented({ sentence, grid, spokenOf }: SpanItem): Segmented {
  const { segments } = segmentsOf(sentence.entities);
  const owners = new Int32Array(tokenCount(sentence));
  const open = new Uint8Array(owners.length);
  for (const { start, end } of [...sentence.unsure, ...sentence.entities]) open.fill(1, start, end);
  segments.forEach(({ start, end }, number) => {
    owners.fill(number + 1, start, end);
    open.fill(0, start, end);
  });
  return { segments, changes: segments.map((segment) => spokenOf?.get(grid.index(segment))), owners, open };
}
