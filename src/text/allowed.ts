import { overlaps, type Sentence, type Span } from "./document.ts";
import { spanIndex } from "./span-index.ts";

/**
 * What the annotation allows a span to be. Silence is not a negative: a span nobody spoke of may be anything.
 *
 * | what the annotation says                                      | allowed                  |
 * |---------------------------------------------------------------|--------------------------|
 * | labelled `PER`                                                | `PER`                    |
 * | labelled `PER` and `LOC`, as a dictionary with both leaves it | `PER` and `LOC`          |
 * | rejected, or it touches a part declared complete              | O                        |
 * | rejected as `PER`                                             | O, and all types but PER |
 * | it touches a part declared complete for some types            | O, and all other types   |
 * | unsure                                                        | it does not train        |
 * | nothing                                                       | anything                 |
 */
export type Allowed =
  /** One of its types, most often the only one, is right. */
  | { readonly kind: "entity"; readonly types: readonly string[] }
  | { readonly kind: "unsure" }
  /** O, and every type that is not excluded; all types are when that is `undefined`. */
  | { readonly kind: "open"; readonly excluded: readonly string[] | undefined };

/** What a sentence allows one span to be: the table above, read literally. Labels go first, then what is unsure. */
export function allowedAt(sentence: Sentence, span: Span): Allowed {
  const labels = spanIndex(sentence.entities).at(span);
  if (labels.length > 0) return { kind: "entity", types: labels.map(({ type }) => type) };
  if (spanIndex(sentence.unsure).at(span).length > 0) return { kind: "unsure" };
  const statements = [
    ...spanIndex(sentence.rejected)
      .at(span)
      .map(({ type }) => type && [type]),
    ...spanIndex(sentence.complete)
      .overlapping(span)
      .map(({ types }) => types),
  ];
  if (statements.includes(undefined)) return { kind: "open", excluded: undefined };
  return { kind: "open", excluded: [...new Set((statements as string[][]).flat())] };
}

/** Sets of types by number, each set once. Set 0 is empty, set 1 holds all types. */
export interface TypeSets {
  readonly types: readonly string[];
  /** The number of the set of these types; names that are not among `types` do not count. All types when not given. */
  number(named: readonly string[] | undefined): number;
  union(a: number, b: number): number;
  has(set: number, type: number): boolean;
  /** How many sets there are so far. */
  size(): number;
}

export const noTypes = 0;
export const allTypes = 1;

export function typeSets(types: readonly string[]): TypeSets {
  const members: boolean[][] = [];
  const numbers = new Map<string, number>();
  const unions = new Map<number, number>();
  const put = (set: boolean[]): number => {
    const key = set.map((has) => (has ? 1 : 0)).join("");
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, members.length);
    return members.push(set) - 1;
  };
  put(types.map(() => false));
  put(types.map(() => true));
  return {
    types,
    number: (named) => (named === undefined ? allTypes : put(types.map((type) => named.includes(type)))),
    union(a, b) {
      if (a === b || b === noTypes || a === allTypes) return a;
      if (a === noTypes || b === allTypes) return b;
      const key = Math.min(a, b) * 65_536 + Math.max(a, b);
      const known = unions.get(key);
      if (known !== undefined) return known;
      const result = put(types.map((_, type) => members[a]![type]! || members[b]![type]!));
      unions.set(key, result);
      return result;
    },
    has: (set, type) => members[set]![type]!,
    size: () => members.length,
  };
}

/**
 * What training may make of an item (a span or a token) as one number, so that a sentence's items fit an array: the
 * number of its label from 1, `outside`, `unknown`, `excluded` (it does not train), or below these a set of types that
 * it cannot have (`restriction`).
 */
export const itemState = { outside: 0, unknown: -1, excluded: -2 } as const;

/** The state of an item that may be O or any type outside of a set. */
export function openState(excluded: number): number {
  if (excluded === allTypes) return itemState.outside;
  return excluded === noTypes ? itemState.unknown : -1 - excluded;
}

/** The set of types that an item cannot have; `undefined` when its state is no such set. */
export function restriction(state: number): number | undefined {
  return state < itemState.excluded ? -1 - state : undefined;
}

/** Nothing is labelled, and O is possible: a sampler may pick it. */
export function isCandidate(state: number): boolean {
  return state === itemState.unknown || state < itemState.excluded;
}

/** For each token, the set of types that no span which touches it can have, by what was declared complete. */
export function tokenExclusions({ offsets, complete }: Sentence, sets: TypeSets): Int32Array {
  const excluded = new Int32Array(offsets.length >> 1);
  for (const { start, end, types } of complete) {
    const set = sets.number(types);
    for (let token = start; token < end; token++) excluded[token] = sets.union(excluded[token]!, set);
  }
  return excluded;
}

/** How many items of each kind there are. */
export interface ItemCounts {
  /** Labelled. */
  readonly entity: number;
  /** Known to be none. */
  readonly outside: number;
  /** Not of some types, otherwise open. */
  readonly restricted: number;
  /** Nobody spoke of them. */
  readonly unknown: number;
  /** Undecided, or part of something that cannot be learned. */
  readonly excluded: number;
}

export function countStates(all: Iterable<ArrayLike<number>>): ItemCounts {
  const counts = { entity: 0, outside: 0, restricted: 0, unknown: 0, excluded: 0 };
  for (const states of all) {
    for (let i = 0; i < states.length; i++) {
      const state = states[i]!;
      if (state > 0) counts.entity++;
      else if (state === itemState.outside) counts.outside++;
      else if (state === itemState.unknown) counts.unknown++;
      else if (state === itemState.excluded) counts.excluded++;
      else counts.restricted++;
    }
  }
  return counts;
}

/** Spans that overlap none that is kept: the longest go first, of equals the first. */
export function withoutOverlaps<S extends Span>(spans: readonly S[]): readonly S[] {
  if (spans.every((span, i) => i === 0 || span.start >= spans[i - 1]!.end)) return spans;
  const kept: S[] = [];
  for (const span of [...spans].sort((a, b) => b.end - b.start - (a.end - a.start))) {
    if (!kept.some((other) => overlaps(other, span))) kept.push(span);
  }
  return kept.sort((a, b) => a.start - b.start);
}
