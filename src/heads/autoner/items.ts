import {
  allTypes,
  itemState,
  restriction,
  type Segment,
  type Sentence,
  segmentsOf,
  type TypeSets,
  tokenCount,
  tokenExclusions,
} from "../../text/index.ts";
import type { SpanItem } from "../span/items.ts";
import type { AutonerSettings } from "./settings.ts";

/** What a gap between two tokens is: both are in one entity, or not, or nobody knows. */
export const gapState = { tie: 0, break: 1, unknown: -1 } as const;

/** A sentence, or a window of a long one, ready for training. */
export interface AutonerItem extends SpanItem {
  /** For each token the `gapState` of the gap before it; the first has none. */
  readonly gaps: Int8Array;
  /** Spans that are typed, by their number in the grid, each with the labels that it may have. */
  readonly typed: ReadonlyMap<number, readonly number[]>;
  /** 1 for tokens of entities that were hidden on purpose. */
  readonly hiddenTokens: Uint8Array;
}

type Unknown = AutonerSettings["unknown"];

export function autonerItem(item: SpanItem, sets: TypeSets, unknown: Unknown): AutonerItem {
  const parts = segmented(item.sentence);
  return {
    ...item,
    gaps: gapsOf(item, parts, sets, unknown),
    typed: typedSpans(item, parts, sets, unknown),
    hiddenTokens: hiddenTokens(item),
  };
}

/** What the tokens of a sentence are part of. */
interface Segmented {
  readonly segments: readonly Segment[];
  /** The number of the segment that each token is in, from 1. */
  readonly owners: Int32Array;
  /** 1 for tokens that may be part of an entity of which nothing can be learned. */
  readonly open: Uint8Array;
}

function segmented(sentence: Sentence): Segmented {
  const { segments } = segmentsOf(sentence.entities);
  const owners = new Int32Array(tokenCount(sentence));
  const open = new Uint8Array(owners.length);
  for (const { start, end } of [...sentence.unsure, ...sentence.entities]) open.fill(1, start, end);
  segments.forEach(({ start, end }, number) => {
    owners.fill(number + 1, start, end);
    open.fill(0, start, end);
  });
  return { segments, owners, open };
}

/**
 * Tie within an entity, unknown beside a token that may be part of another one, otherwise break (Shang et al. 2018). With
 * unknown=any a break must be known: the end of an entity, or a token that no entity can touch.
 */
function gapsOf(
  { sentence, states, grid }: SpanItem,
  { owners, open }: Segmented,
  sets: TypeSets,
  unknown: Unknown,
): Int8Array {
  const excluded = tokenExclusions(sentence, sets);
  const isKnown = (token: number): boolean => owners[token]! > 0 || excluded[token] === allTypes;
  return Int8Array.from(owners, (owner, token) => {
    const isOut = states[grid.index({ start: token, end: token + 1 })] === itemState.excluded;
    if (token === 0 || isOut) return gapState.unknown;
    if (owner > 0 && owner === owners[token - 1]) return gapState.tie;
    if (open[token] || open[token - 1]) return gapState.unknown;
    return unknown === "outside" || isKnown(token) || isKnown(token - 1) ? gapState.break : gapState.unknown;
  });
}

/** Entities, rejected spans, and tokens that are part of none: what lies between two breaks. */
function typedSpans(
  { sentence, states, grid }: SpanItem,
  { segments, owners, open }: Segmented,
  sets: TypeSets,
  unknown: Unknown,
): ReadonlyMap<number, readonly number[]> {
  const typed = new Map<number, readonly number[]>();
  const others = [...owners].flatMap((owner, token) =>
    owner === 0 && !open[token] ? [{ start: token, end: token + 1 }] : [],
  );
  for (const span of [...sentence.rejected, ...others]) {
    const index = grid.index(span);
    const allowed = index < 0 ? undefined : labelsOf(states[index]!, sets, unknown);
    if (allowed) typed.set(index, allowed);
  }
  for (const { types, ...span } of segments) {
    const index = grid.index(span);
    if (index >= 0 && states[index] !== itemState.excluded)
      typed.set(
        index,
        types.map((type) => sets.types.indexOf(type) + 1),
      );
  }
  return typed;
}

/** The labels that a span without one may have; nothing where it does not train. */
function labelsOf(state: number, sets: TypeSets, unknown: Unknown): readonly number[] | undefined {
  if (state > 0 || state === itemState.excluded) return undefined;
  if (state === itemState.outside || unknown === "outside") return [0];
  const excluded = restriction(state);
  if (excluded === undefined) return undefined;
  return [0, ...sets.types.flatMap((_, type) => (sets.has(excluded, type) ? [] : [type + 1]))];
}

function hiddenTokens({ grid, hidden }: SpanItem): Uint8Array {
  const tokens = new Uint8Array(grid.length);
  const [starts, ends] = [grid.starts(), grid.ends()];
  for (const span of hidden ?? []) tokens.fill(1, starts[span], ends[span]);
  return tokens;
}
