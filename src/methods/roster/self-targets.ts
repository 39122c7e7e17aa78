import type { Adjustment } from "../../heads/index.ts";
import { normalised, type OpenItem, taught } from "../teaching.ts";
import { entityPart } from "./reweight.ts";

export interface SelfTargets {
  readonly adjustments: readonly Adjustment[];
  /** Items whose types are sharpened. */
  readonly sure: number;
}

/**
 * What a distilled model learns from itself. Whether an item is an entity stays as the ensemble has it; of which type,
 * the model says: t ∝ p² / Σp over the items that are an entity with more than `entity`, and p itself elsewhere.
 */
export function selfTargets(
  own: readonly OpenItem[],
  ensemble: readonly OpenItem[],
  { entity }: { readonly entity: number },
): SelfTargets {
  const isSure = ({ row }: OpenItem): boolean => 1 - row[0]! > entity;
  const sure = own.filter(isSure);
  const sums = sure
    .map(({ row }) => normalised(entityPart(row)))
    .reduce((total, row) => total.map((sum, label) => sum + row[label]!), new Float64Array(own[0]?.row.length ?? 0));
  const adjustments = own.flatMap((item, i) => {
    const types = normalised(entityPart(item.row));
    const sharp = types.map((share, label) => (sums[label]! > 0 ? share ** 2 / sums[label]! : 0));
    const outside = ensemble[i]!.row[0]!;
    const chosen = isSure(item) ? normalised(sharp) : types;
    return taught(
      item,
      chosen.map((share, label) => (label === 0 ? outside : (1 - outside) * share)),
    );
  });
  return { adjustments, sure: sure.length };
}
