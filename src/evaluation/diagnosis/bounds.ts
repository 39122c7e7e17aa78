import { drawCount, spanCount } from "../../util/span-counts.ts";

/** A sentence from which negatives are drawn. */
export interface DrawnSentence {
  /** Spans of the grid: n(n+1)/2, or fewer with a width limit. */
  readonly spans: number;
  /** m: labelled ones, which are no candidates. */
  readonly labelled: number;
  /** |ŷ|: entities that nobody labelled. */
  readonly hidden: number;
  /** How many are drawn, without replacement, each candidate equally likely. */
  readonly draws: number;
}

/** The probability q that no hidden entity is drawn (Li, Liu and Shi, equation 6). */
export function chanceOfNoHidden({ spans, labelled, hidden, draws }: DrawnSentence): number {
  const candidates = spans - labelled;
  return chancesByDraws({ candidates, hidden }, draws)[Math.min(draws, candidates)]!;
}

/** The same for every number of draws up to a highest one, which is no more than there are candidates. */
export function chancesByDraws(
  { candidates, hidden }: { readonly candidates: number; readonly hidden: number },
  highest: number,
): Float64Array {
  const chances = new Float64Array(Math.min(highest, candidates) + 1);
  chances[0] = 1;
  for (let i = 0; i + 1 < chances.length; i++)
    chances[i + 1] = chances[i]! * Math.max(0, 1 - hidden / (candidates - i));
  return chances;
}

/** What can be said of q beforehand, when a sentence has no more than √n entities. Bounds below 0 are given as 0. */
export interface ChanceBounds {
  readonly length: number;
  readonly draws: number;
  /** q itself in the worst case of whole entities: ⌊√n⌋ of them, all hidden. */
  readonly exact: number;
  /** Equation 8: the product of equation 6 with √n hidden entities. */
  readonly bound8: number;
  /** Equation 9: every factor as small as the last. */
  readonly bound9: number;
  /** Equation 11; its proof needs λn ≥ 1, and below that it can be wrong, so that it is left out there. */
  readonly bound11?: number;
}

export interface BoundOptions {
  /** Spans up to this width are drawn. Equation 11 is about all spans and is left out where the limit cuts some off. */
  readonly maxWidth?: number | undefined;
}

/** The bounds of Theorem 1 for sentences of n tokens at rate λ. */
export function chanceBounds(rate: number, length: number, { maxWidth }: BoundOptions = {}): ChanceBounds {
  const spans = spanCount(length, maxWidth);
  const draws = Math.min(spans, drawCount(rate, length));
  const root = Math.sqrt(length);
  const hidden = Math.min(spans, Math.floor(root));
  const last = spans - (length - 1);
  const linear = rate * length >= 1 - 1e-9 && length > 1 && length <= (maxWidth ?? length);
  return {
    length,
    draws,
    exact: chanceOfNoHidden({ spans, labelled: 0, hidden, draws }),
    bound8: chanceOfNoHidden({ spans, labelled: 0, hidden: root, draws }),
    bound9: last > 0 ? Math.max(0, 1 - root / last) ** draws : 0,
    ...(linear && { bound11: Math.max(0, 1 - (4 * rate * root) / (length - 1)) }),
  };
}
