import { allowedAt } from "./allowed.ts";
import { annotate, type Sentence, type Span, tokenCount } from "./document.ts";
import { spanIndex } from "./span-index.ts";

/**
 * What is known about a span. Silence is not a negative: a span nobody spoke of is `unknown`.
 * - `entity`: labelled.
 * - `negative`: rejected, or it touches a part that was declared complete and carries no label.
 * - `unsure`: seen and left undecided; never used for training.
 * - `unknown`: all the rest.
 */
export type State = "entity" | "negative" | "unknown" | "unsure";

/**
 * The state of a span; with a type, the state of "this span is an entity of that type".
 * Without a type, `negative` means not an entity of any type, so a rejection or a region that speaks of some types
 * only leaves the span unknown.
 */
export function stateOf(sentence: Sentence, span: Span, type?: string): State {
  const labels = spanIndex(sentence.entities).at(span);
  if (labels.length > 0) {
    return type === undefined || labels.some((entity) => entity.type === type) ? "entity" : "negative";
  }
  const allowed = allowedAt(sentence, span);
  if (allowed.kind !== "open") return "unsure";
  const { excluded } = allowed;
  return excluded === undefined || (type !== undefined && excluded.includes(type)) ? "negative" : "unknown";
}

/** True when every token is declared complete for all types, so that no span of the sentence is unknown. */
export function isComplete(sentence: Sentence): boolean {
  let reached = 0;
  const regions = sentence.complete.filter((region) => region.types === undefined);
  for (const region of [...regions].sort((a, b) => a.start - b.start)) {
    if (region.start > reached) return false;
    reached = Math.max(reached, region.end);
  }
  return reached >= tokenCount(sentence);
}

/** The same sentence, declared complete beside what was declared of it before; for some types only where these are given. */
export function declareComplete(sentence: Sentence, types?: readonly string[]): Sentence {
  return annotate(sentence, { complete: [...sentence.complete, ...wholly(tokenCount(sentence), types)] });
}

/** A sentence of n tokens declared complete as a whole. */
export function wholly(
  tokens: number,
  types?: readonly string[],
): { start: number; end: number; types?: readonly string[] }[] {
  if (tokens === 0) return [];
  return [types === undefined ? { start: 0, end: tokens } : { start: 0, end: tokens, types }];
}
