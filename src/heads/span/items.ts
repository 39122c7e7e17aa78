import {
  countStates,
  type ItemCounts,
  isCandidate,
  itemState,
  restriction,
  type Sentence,
  type Span,
  type TypeSets,
  tokenCount,
} from "../../text/index.ts";
import { type Adjustment, bySentence, type Corpus } from "../head.ts";
import { windows } from "../windows.ts";
import { type SpanGrid, spanGrid, spanStates } from "./grid.ts";

/** A sentence, or a window of a long one, ready for training. */
export interface SpanItem {
  /** Its number: the key of all randomness about it. */
  readonly id: number;
  readonly sentence: Sentence;
  readonly grid: SpanGrid;
  /** An `itemState` for each span of the grid. */
  readonly states: Int16Array;
  /** Spans that are entities hidden on purpose. */
  readonly hidden?: ReadonlySet<number> | undefined;
  /** What earlier stages found out, by span. */
  readonly adjusted?: Changes | undefined;
  /** The same of all spans of the piece, also of those that a neighbouring window decides. */
  readonly spokenOf?: Changes | undefined;
}

export type Change = Pick<Adjustment, "weight" | "target" | "allowed">;
/** By the number of a span in the grid. */
export type Changes = ReadonlyMap<number, Change>;

/** The spans of an item by what training does with them. */
export interface SpanParts {
  /** Labelled, known to be none, restricted, or spoken of by an earlier stage: they train at every visit. */
  readonly known: readonly number[];
  /** Among these a sampler picks negatives: nothing is labelled, and O is possible. */
  readonly candidates: readonly number[];
}

/** Sentences as items, long ones in pieces; sentences without tokens have nothing to teach. */
export function spanItems(
  { sentences, hidden, adjustments = [] }: Corpus,
  sets: TypeSets,
  maxWidth: number,
): SpanItem[] {
  const adjusted = bySentence(adjustments);
  const items: SpanItem[] = [];
  sentences.forEach((sentence, number) => {
    if (tokenCount(sentence) === 0) return;
    for (const { sentence: piece, offset, ownStart, ownEnd } of windows(sentence)) {
      const grid = spanGrid(tokenCount(piece), maxWidth);
      const states = spanStates(piece, grid, sets);
      grid.starts().forEach((start, index) => {
        if (start < ownStart || start >= ownEnd) states[index] = itemState.excluded;
      });
      const place = ({ start, end }: Span): number =>
        start < offset || end - offset > grid.length ? -1 : grid.index({ start: start - offset, end: end - offset });
      const masked = hidden?.[number]?.map(place).filter((index) => index >= 0);
      const changes = adjusted.get(number)?.map((each) => [place(each), each] as const);
      const found = changes?.filter(([index]) => index >= 0);
      const own = found?.filter(([index]) => states[index] !== itemState.excluded);
      const spokenOf = found && new Map(found);
      items.push({
        id: items.length,
        sentence: piece,
        grid,
        states,
        hidden: masked && new Set(masked),
        // One map where it can be: teachers may speak of every span of a corpus.
        adjusted: own?.length === found?.length ? spokenOf : new Map(own),
        spokenOf,
      });
    }
  });
  return items;
}

export function partsOf({ states, adjusted }: SpanItem): SpanParts {
  const known: number[] = [];
  const candidates: number[] = [];
  states.forEach((state, index) => {
    const change = adjusted?.get(index);
    if (change?.weight === 0) return;
    const isTaught = saysLabels(change);
    if (state >= 0 || restriction(state) !== undefined || isTaught) known.push(index);
    if (isCandidate(state) && !isTaught) candidates.push(index);
  });
  return { known, candidates };
}

/** An earlier stage says what a span is, beside how much it trains. */
export function saysLabels(change: Change | undefined): boolean {
  return change?.target !== undefined || change?.allowed !== undefined;
}

/** Labelled entities that are no wider than the grid. */
export function positivesOf({ states }: SpanItem): number {
  return states.reduce((count, state) => count + (state > 0 ? 1 : 0), 0);
}

export function countItems(items: readonly SpanItem[]): ItemCounts {
  return countStates(items.map(({ states }) => states));
}
