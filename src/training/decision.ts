import { evaluate, missingShare, type Report } from "../evaluation/index.ts";
import type { Decoding, Predictor, Shift } from "../inference/index.ts";
import type { Sentence } from "../text/index.ts";
import type { Settings } from "./settings.ts";

/** Among these a shift is chosen on dev; of equal results the one that shifts least. */
export const shiftGrid: readonly number[] = Array.from({ length: 17 }, (_, i) => 2 - i / 2).sort(
  (a, b) => Math.abs(a) - Math.abs(b),
);

/** What a model is worth on dev, and the shift it has there, where the settings leave that open. */
export interface Decided {
  readonly dev: Report | null;
  readonly shift?: Shift;
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
  const assess = (shifts: readonly Shift[]): Promise<Report[]> =>
    reports(
      predictor,
      dev,
      shifts.map((shift) => ({ ...rest, shift })),
    );
  if (typeof wanted !== "string") return { dev: (await assess([wanted]))[0]! };
  const found = await assess(shiftGrid);
  const best = argmax(found.map(({ f1 }) => f1));
  const together = { dev: found[best]!, shift: shiftGrid[best]! };
  if (wanted === "auto") return together;
  const apart = bestByType(found);
  const [report] = await assess([apart]);
  return report!.f1 > together.dev.f1 ? { dev: report!, shift: apart } : together;
}

/**
 * The shift of a model that has no dev set: with a share c of the entities labelled, a model that trusts silence gives an
 * entity about c times its probability (Elkan and Noto 2008), so O is lowered by log c.
 */
export function shiftByEstimate(train: readonly Sentence[]): number {
  const { missing } = missingShare(train);
  return missing === undefined ? 0 : Math.max(Math.min(...shiftGrid), Math.log(1 - missing));
}

async function reports(
  predictor: Predictor,
  dev: readonly Sentence[],
  decodings: readonly Decoding[],
): Promise<Report[]> {
  const predicted = await predictor.predictEach(dev, decodings);
  return Promise.all(predicted.map((each) => evaluate(dev.map((gold, i) => ({ gold, predicted: each[i]! })))));
}

/** For each type the shift under which it does best when all types have it. */
function bestByType(found: readonly Report[]): Readonly<Record<string, number>> {
  const types = [...new Set(found.flatMap(({ byType }) => Object.keys(byType)))].sort();
  return Object.fromEntries(
    types.map((type) => [type, shiftGrid[argmax(found.map(({ byType }) => byType[type]?.f1 ?? 0))]!]),
  );
}

/** The first of the greatest. */
function argmax(values: readonly number[]): number {
  return values.indexOf(Math.max(...values));
}
