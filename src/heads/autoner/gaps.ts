import { allTypes, itemState, type TypeSets, tokenExclusions } from "../../text/index.ts";
import { places } from "../places.ts";
import type { Change, SpanItem } from "../span/items.ts";
import type { Segmented } from "./segmented.ts";
import type { AutonerSettings } from "./settings.ts";

/** For each token the gap before it; the first has none. */
export interface Gaps {
  /** 0 for a tie: both tokens are in one entity; 1 for a break; between them by a teacher's shares. */
  readonly breaks: Float32Array;
  /** How much each gap trains; 0 where nobody knows what it is. */
  readonly weights: Float32Array;
}

/** What the annotation says of a gap. */
const gapState = { tie: 0, break: 1, unknown: -1 } as const;

/**
 * Gaps as the annotation has them, where a label settles them that no earlier stage spoke of. Elsewhere a gap is a tie by
 * the shares of the spans that cover it.
 */
export function gapsOf(item: SpanItem, parts: Segmented, sets: TypeSets, unknown: AutonerSettings["unknown"]): Gaps {
  const { owners } = parts;
  const isPlain = segmentsThat(parts, (change) => change === undefined);
  const ties = tiesOf(item, parts);
  const [breaks, weights] = [new Float32Array(owners.length), new Float32Array(owners.length)];
  gapStates(item, parts, sets, unknown).forEach((state, token) => {
    if (state === gapState.unknown) return;
    const isSettled = isPlain(owners[token]!) || isPlain(owners[token - 1]!);
    breaks[token] = isSettled ? state : 1 - ties.share(token);
    weights[token] = isSettled ? 1 : ties.weight(token);
  });
  return { breaks, weights };
}

/**
 * Tie within an entity, unknown beside a token that may be part of another one, otherwise break (Shang et al. 2018). With
 * unknown=any a break must be known: the end of an entity, or a token that no entity can touch.
 */
function gapStates(
  { sentence, states, grid }: SpanItem,
  parts: Segmented,
  sets: TypeSets,
  unknown: AutonerSettings["unknown"],
): Int8Array {
  const { owners, open } = parts;
  const excluded = tokenExclusions(sentence, sets);
  const isCertain = segmentsThat(parts, (change) => {
    const { share, weight } = change ? entityShare(change, true) : { share: 1, weight: 1 };
    return share === 1 && weight > 0;
  });
  const isKnown = (token: number): boolean => isCertain(owners[token]!) || excluded[token] === allTypes;
  return Int8Array.from(owners, (owner, token) => {
    const isOut = states[grid.index({ start: token, end: token + 1 })] === itemState.excluded;
    if (token === 0 || isOut) return gapState.unknown;
    if (owner > 0 && owner === owners[token - 1]) return gapState.tie;
    if (open[token] || open[token - 1]) return gapState.unknown;
    return unknown === "outside" || isKnown(token) || isKnown(token - 1) ? gapState.break : gapState.unknown;
  });
}

/** Whether what earlier stages say of an owner, a segment by its number from 1, passes a test. */
function segmentsThat(
  { changes }: Segmented,
  test: (change: Change | undefined) => boolean,
): (owner: number) => boolean {
  const passing = changes.map(test);
  return (owner) => owner > 0 && passing[owner - 1]!;
}

/** The gaps within spans of which earlier stages spoke, also of those that a neighbouring window decides. */
function tiesOf({ grid, spokenOf }: SpanItem, { segments }: Segmented): ReturnType<typeof places> {
  const ties = places(grid.length);
  const labelled = new Set(segments.map((segment) => grid.index(segment)));
  const [starts, ends] = [grid.starts(), grid.ends()];
  for (const [span, change] of spokenOf ?? []) {
    const { share, weight } = entityShare(change, labelled.has(span));
    for (let token = starts[span]! + 1; token < ends[span]!; token++) ties.add(token, share, weight);
  }
  return ties;
}

/** How much of an entity a span is, and how much that trains: nothing where it may be one or none. */
function entityShare({ weight, target, allowed }: Change, isLabelled: boolean): { share: number; weight: number } {
  if (target) return { share: 1 - target[0]!, weight };
  if (!allowed) return { share: isLabelled ? 1 : 0, weight };
  if (!allowed.includes(0)) return { share: 1, weight };
  return { share: 0, weight: allowed.length > 1 ? 0 : weight };
}
