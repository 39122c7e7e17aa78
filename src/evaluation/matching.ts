import { compareEntities, compareSpans, type Entity, overlaps, type Span, sameSpan, spanIndex } from "../text/index.ts";

/** The raw material of a score. `correct` may hold halves, where a measure gives half a point. */
export interface Counts {
  readonly correct: number;
  readonly predicted: number;
  readonly gold: number;
}

/** How many of the predictions one measure calls right. */
export type Matching = (gold: readonly Entity[], predicted: readonly Entity[]) => Counts;

/** Boundaries and type agree: the measure of conlleval, and the one that is meant where none is named. */
export const exactMatching: Matching = (gold, predicted) => ({
  correct: exactMatches(gold, predicted).length,
  predicted: predicted.length,
  gold: gold.length,
});

/** Boundaries agree, types are ignored; a span with two types counts once. */
export const boundaryMatching: Matching = (gold, predicted) => {
  const spans = distinctSpans(gold);
  const guesses = distinctSpans(predicted);
  return { correct: inBoth(spans, guesses, compareSpans).length, predicted: guesses.length, gold: spans.length };
};

/** As `boundaryMatching`, and half a point for a span that merely overlaps; each span is paired at most once. */
export const partialMatching: Matching = (gold, predicted) => {
  const spans = distinctSpans(gold);
  const guesses = distinctSpans(predicted);
  const same = inBoth(spans, guesses, compareSpans);
  const isOpen = (span: Span): boolean => spanIndex(same).at(span).length === 0;
  // Taking the equal spans first loses nothing: breaking up such a pair costs a point and wins two halves at most.
  const halves = maximumMatching(spans.filter(isOpen), guesses.filter(isOpen), overlaps);
  return { correct: same.length + halves / 2, predicted: guesses.length, gold: spans.length };
};

/** Types agree and the spans overlap, whatever the boundaries; each entity is paired at most once. */
export const typeMatching: Matching = (gold, predicted) => ({
  correct: maximumMatching(gold, predicted, (a, b) => a.type === b.type && overlaps(a, b)),
  predicted: predicted.length,
  gold: gold.length,
});

/** The predictions whose boundaries and type are in the gold. Both lists in the order of a sentence's entities. */
export function exactMatches(gold: readonly Entity[], predicted: readonly Entity[]): Entity[] {
  return inBoth(gold, predicted, compareEntities);
}

/** The items of the second sorted list that the first holds too. */
function inBoth<T>(first: readonly T[], second: readonly T[], compare: (a: T, b: T) => number): T[] {
  const result: T[] = [];
  let i = 0;
  let j = 0;
  while (i < first.length && j < second.length) {
    const order = compare(first[i]!, second[j]!);
    if (order === 0) result.push(second[j]!);
    if (order <= 0) i++;
    if (order >= 0) j++;
  }
  return result;
}

function distinctSpans(entities: readonly Entity[]): Entity[] {
  return entities.filter((entity, index) => index === 0 || !sameSpan(entity, entities[index - 1]!));
}

/** The largest number of overlapping pairs in which no item stands twice, by augmenting paths (Kuhn 1955). */
function maximumMatching<S extends Span>(
  left: readonly S[],
  right: readonly S[],
  fits: (a: S, b: S) => boolean,
): number {
  const index = spanIndex(right);
  const partner = new Map<S, S>();
  const stepFrom = (from: S): Step<S> => ({ from, rest: index.overlapping(from).values(), to: undefined });
  const assign = (item: S): boolean => {
    const tried = new Set<S>();
    const path = [stepFrom(item)];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      step.to = nextOf(step.rest, (each) => !tried.has(each) && fits(step!.from, each));
      if (step.to === undefined) {
        path.pop();
        continue;
      }
      tried.add(step.to);
      const current = partner.get(step.to);
      if (current !== undefined) path.push(stepFrom(current));
      else {
        for (const { from, to } of path) partner.set(to!, from);
        return true;
      }
    }
    return false;
  };
  return left.filter(assign).length;
}

/** A step of a path: the item that looks for a partner, the candidates not yet looked at, and the one it takes. */
interface Step<S> {
  readonly from: S;
  readonly rest: Iterator<S>;
  to: S | undefined;
}

function nextOf<T>(items: Iterator<T>, fits: (item: T) => boolean): T | undefined {
  for (let next = items.next(); !next.done; next = items.next()) if (fits(next.value)) return next.value;
  return undefined;
}
