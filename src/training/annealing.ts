import { z } from "zod";

export const annealingSettings = z.strictObject({
  /** Evaluations without a better result on dev after which learning rates fall; 0 never lowers them. */
  patience: z.int().min(0).default(0),
  /** What learning rates are multiplied by. */
  factor: z.number().gt(0).lt(1).default(0.5),
  /** Training ends when learning rates are below this share of their first value. */
  least: z.number().gt(0).lt(1).default(0.001),
});
export type AnnealingSettings = z.output<typeof annealingSettings>;

/** How far learning rates have fallen, and how long dev has been without a better result since they last did. */
export interface Annealing {
  readonly scale: number;
  readonly stale: number;
}

export const fullRate: Annealing = { scale: 1, stale: 0 };

/** The state after an evaluation on dev. */
export function anneal(
  { scale, stale }: Annealing,
  improved: boolean,
  { patience, factor }: AnnealingSettings,
): Annealing {
  if (improved) return { scale, stale: 0 };
  return patience > 0 && stale + 1 >= patience ? { scale: scale * factor, stale: 0 } : { scale, stale: stale + 1 };
}
