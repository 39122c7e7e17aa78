import { type Estimate, evaluate, missingShares, type Report } from "../evaluation/index.ts";
import type { Predictor, Shift } from "../inference/index.ts";
import type { Sentence } from "../text/index.ts";
import { longWork } from "../util/long-work.ts";
import type { Settings } from "./settings.ts";

/** Among these a shift is chosen on dev; of equal results the one that shifts least. */
export const shiftGrid: readonly number[] = Array.from({ length: 17 }, (_, i) => 2 - i / 2).sort(
  (a, b) => Math.abs(a) - Math.abs(b),
);

/** What a model is worth on dev, and the shift it has there, where the settings leave that open. */
export interface Decided {
  readonly dev: Report | null;
  readonly shift?: Shift;
  /** F1 without a shift, where dev chose one. */
  readonly unshifted?: number;
}

/** Evaluates on dev, with the shift that does best there if it is to be chosen. */
export async function decide(
  predictor: Predictor,
  dev: readonly Sentence[],
  { decode }: Pick<Settings, "decode">,
  withoutDev: Shift,
): Promise<Decided> {
  const { shift: wanted, ...rest } = decode;
  if (dev.length === 0) return { dev: null, ...(typeof wanted === "string" && { shift: withoutDev }) };
  const decoded = await predictor.scored(dev);
  const assess = (shift: Shift): Promise<Report> =>
    longWork(() => {
      const predicted = decoded({ ...rest, shift });
      return evaluate(dev.map((gold, i) => ({ gold, predicted: predicted[i]! })));
    });
  if (typeof wanted !== "string") return { dev: await assess(wanted) };
  const { f1: unshifted } = await assess(0);
  const together = await bestOf(shiftGrid, assess);
  const chosen = wanted === "auto" ? together : await byType(together, predictor.types, assess);
  return { ...chosen, unshifted };
}

interface Chosen {
  readonly dev: Report;
  readonly shift: Shift;
}

/** The first of those that do best. */
async function bestOf(shifts: readonly Shift[], assess: (shift: Shift) => Promise<Report>): Promise<Chosen> {
  const found: Chosen[] = [];
  for (const shift of shifts) found.push({ dev: await assess(shift), shift });
  return found.reduce((best, each) => (each.dev.f1 > best.dev.f1 ? each : best));
}

/**
 * A shift for each type, from the one for all in ever smaller steps. One type after the other, because a type that gains
 * takes from the others, not from O alone.
 */
async function byType(
  together: Chosen,
  types: readonly string[],
  assess: (shift: Shift) => Promise<Report>,
): Promise<Chosen> {
  let best = { ...together, shift: Object.fromEntries(types.map((type) => [type, together.shift as number])) };
  for (const step of [2, 1, 0.5]) {
    for (const type of types) {
      const moved = [-step, step].map((by) => ({ ...best.shift, [type]: best.shift[type]! + by }));
      const found = await bestOf(moved, assess);
      if (found.dev.f1 > best.dev.f1) best = { dev: found.dev, shift: found.shift as typeof best.shift };
    }
  }
  return best.dev.f1 > together.dev.f1 ? best : together;
}

/**
 * The shift of a model that has no dev set: with a share c of the entities labelled, a model that trusts silence gives an
 * entity about c times its probability (Elkan and Noto 2008), so O is lowered by log c. By type it is the c of each type
 * that the estimate can tell, and else that of all.
 */
export function shiftByEstimate(
  train: readonly Sentence[],
  wanted: "auto" | "by-type",
  types: readonly string[],
): Shift {
  const { overall, byType } = missingShares(train);
  const together = logOfLabelled(overall);
  if (wanted === "auto") return together;
  const own = (type: string): number => {
    const estimate = byType[type];
    return estimate?.missing === undefined ? together : logOfLabelled(estimate);
  };
  const shifts = types.map((type) => [type, own(type)] as const);
  return shifts.every(([, each]) => each === together) ? together : Object.fromEntries(shifts);
}

function logOfLabelled({ missing }: Estimate): number {
  return missing === undefined ? 0 : Math.max(Math.min(...shiftGrid), Math.log(1 - missing));
}
