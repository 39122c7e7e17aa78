import type { Adjustment } from "../../heads/index.ts";
import { type CorpusShares, normalised, type OpenItem } from "../teaching.ts";

export interface Reweighted {
  readonly adjustments: readonly Adjustment[];
  /** Labelled items whose type is not trusted: they train as some entity. */
  readonly doubted: number;
  /** Items without a label that may be entities: they do not train. */
  readonly left: number;
}

/**
 * Which given labels a model trusts. A type counts where the model gives it more than `trust` among the types; where it
 * does not, the item trains as an entity of any type. Silence counts where the model gives O
 * more than that. A type of which more than `most` would be lost keeps all its labels, and so does silence.
 */
export function reweighted(
  items: readonly OpenItem[],
  { typeOf, types }: Pick<CorpusShares, "typeOf" | "types">,
  { trust, most }: { readonly trust: number; readonly most: number },
): Reweighted {
  const isTrusted = ({ row, type }: OpenItem): boolean => {
    const among = normalised(entityPart(row));
    return among.reduce((sum, share, label) => sum + (typeOf[label] === type ? share : 0), 0) > trust;
  };
  const labelled = items.filter(({ type }) => type >= 0);
  const doubted = labelled.filter((item) => !isTrusted(item));
  const countOf = (all: readonly OpenItem[], type: number): number => all.filter((item) => item.type === type).length;
  const spared = new Set([...types.keys()].filter((type) => countOf(doubted, type) > most * countOf(labelled, type)));
  const untrusted = doubted.filter(({ type }) => !spared.has(type));
  const entityLabels = [...typeOf.keys()].filter((label) => typeOf[label]! >= 0);
  const unsure = items.filter(({ type, row }) => type < 0 && row[0]! <= trust);
  const left = unsure.length > most * countOf(items, -1) ? [] : unsure;
  return {
    adjustments: [
      ...untrusted.map(({ sentence, start, end }) => ({ sentence, start, end, weight: 1, allowed: entityLabels })),
      ...left.map(({ sentence, start, end }) => ({ sentence, start, end, weight: 0 })),
    ],
    doubted: untrusted.length,
    left: left.length,
  };
}

/** The shares without that of O. */
export function entityPart(row: Float64Array): Float64Array {
  return row.map((share, label) => (label === 0 ? 0 : share));
}
