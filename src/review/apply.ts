import { reviewer } from "../text/index.ts";
import type { Mark } from "./model.ts";
import type { Outcome } from "./outcome.ts";
import { sameMark } from "./outcome.ts";

interface Range {
  readonly start: number;
  readonly end: number;
}

/** What is said of a sentence or of a passage; its offsets and those of the outcome count the same thing. */
export interface Annotations {
  readonly entities: readonly (Mark & { readonly provenance?: { readonly source: string } })[];
  readonly rejected: readonly (Range & { readonly type?: string })[];
  readonly unsure: readonly Range[];
}

/**
 * Annotations after a decision. What is right becomes an entity, what is wrong a rejection for its type, what is unsure
 * an unsure span. Nothing becomes a plain "no entity", and what the decision does not speak of stays as it is.
 */
export function applyOutcome(annotations: Annotations, { right, wrong, unsure }: Outcome): Annotations {
  let { entities, rejected, unsure: unsureSpans } = annotations;
  for (const mark of [...wrong, ...unsure]) entities = entities.filter((entity) => !sameMark(entity, mark));
  for (const { start, end, type } of wrong) {
    const isKnown = rejected.some((other) => sameRange(other, { start, end }) && (other.type ?? type) === type);
    if (!isKnown) rejected = [...rejected, { start, end, type }];
  }
  for (const { start, end } of unsure) {
    if (!unsureSpans.some((other) => sameRange(other, { start, end }))) unsureSpans = [...unsureSpans, { start, end }];
  }
  for (const mark of right) {
    entities = [...entities.filter((entity) => !sameMark(entity, mark)), { ...mark, provenance: reviewer }];
    // What was said against it before does not hold any more.
    rejected = rejected.filter((other) => !(sameRange(other, mark) && (other.type ?? mark.type) === mark.type));
    unsureSpans = unsureSpans.filter((other) => !sameRange(other, mark));
  }
  return { entities, rejected, unsure: unsureSpans };
}

function sameRange(a: Range, b: Range): boolean {
  return a.start === b.start && a.end === b.end;
}
