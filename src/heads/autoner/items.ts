import { itemState, restriction, type TypeSets } from "../../text/index.ts";
import type { SpanItem } from "../span/items.ts";
import { type Gaps, gapsOf } from "./gaps.ts";
import { type Segmented, segmented } from "./segmented.ts";
import type { AutonerSettings } from "./settings.ts";

/** A sentence, or a window of a long one, ready for training. */
export interface AutonerItem extends SpanItem {
  readonly gaps: Gaps;
  /** Spans that are typed, by their number in the grid, each with the labels that it may have. */
  readonly typed: ReadonlyMap<number, readonly number[]>;
  /** 1 for tokens of entities that were hidden on purpose. */
  readonly hiddenTokens: Uint8Array;
}

type Unknown = AutonerSettings["unknown"];

export function autonerItem(item: SpanItem, sets: TypeSets, unknown: Unknown): AutonerItem {
  const parts = segmented(item);
  return {
    ...item,
    gaps: gapsOf(item, parts, sets, unknown),
    typed: typedSpans(item, parts, sets, unknown),
    hiddenTokens: hiddenTokens(item),
  };
}

/**
 * Entities, rejected spans, and tokens that are part of none: what lies between two breaks. Earlier stages add
 * spans and take some out.
 */
function typedSpans(
  { sentence, states, grid, adjusted }: SpanItem,
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
  for (const [span, { weight, target, allowed }] of adjusted ?? []) {
    const labels = target ? [...target.keys()].filter((label) => target[label]! > 0) : allowed;
    if (weight === 0) typed.delete(span);
    else if (labels) typed.set(span, labels);
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
