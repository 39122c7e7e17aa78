import { z } from "zod";
import type { Prepared, Settings, Stage, StageContext } from "../../training/index.ts";
import { InputError } from "../../util/errors.ts";
import { goingOn } from "../going-on.ts";
import type { Method } from "../method.ts";
import { meanShares, shifted } from "../teaching.ts";
import { pseudoLabels } from "./pseudo-labels.ts";

export const bondSettings = z.strictObject({
  /**
   * Epochs of the first training, which stops before it learns the noise by heart; `auto` is up to 10 where a dev set ends them,
   * else 3.
   */
  early: z.union([z.literal("auto"), z.int().min(1)]).default("auto"),
  /** Epochs after which the teacher becomes a copy of the student; `epochs` counts those of the student in all. */
  every: z.int().min(1).default(2),
  /** A pseudo-label trains when its largest share is above this. */
  sure: z.number().min(0).lt(1).default(0.9),
  /** Sentences over which the frequency of a label is taken; 0 takes all. */
  group: z.int().min(0).default(0),
});
export type BondSettings = z.output<typeof bondSettings>;
type Complete = Settings & { readonly bond: BondSettings };

/** What paper and code share: the optimiser, and a teacher whose decision is not shifted. */
const published = {
  encoderRate: 1e-5,
  decay: 1e-4,
  epochs: 50,
  decode: { shift: 0 },
  bond: { early: 1, every: 1 },
};

/** BOND (Liang et al. 2020): an early-stopped tagger, then a student that learns from sharpened copies of itself. */
export const bond: Method<{ readonly bond: BondSettings }> = {
  name: "bond",
  description: "an early-stopped tagger, then rounds in which it learns its own sharpened labels",
  settings: {
    sampler: "all",
    objective: "cross-entropy",
    head: { name: "token", output: "softmax" },
    decode: { shift: "auto" },
  },
  presets: { paper: published, code: { ...published, bond: { ...published.bond, group: 16 } } },
  needsTargets: true,
  sections: { bond: bondSettings.prefault({}) },
  adapt(settings: Complete, { dev }) {
    const early = earlyEpochs(settings, dev.length > 0);
    return { ...settings, bond: { ...settings.bond, early } };
  },
  stages(settings: Complete) {
    refuseOpenSilence(settings);
    const { every } = settings.bond;
    const early = earlyEpochs(settings, true);
    const rounds = Math.ceil(settings.epochs / every);
    const stages: Stage[] = [{ name: "early", settings: { ...settings, epochs: early } }];
    for (let round = 1; round <= rounds; round++) {
      const from = stages.at(-1)!.name;
      stages.push({
        name: `round-${round}`,
        from,
        settings: goingOn(settings, round === rounds ? settings.epochs - every * (rounds - 1) : every, "round", round),
        prepare: (context) => pseudoLabelled(context, settings.bond, from),
      });
    }
    return stages;
  },
};

/** A small corpus needs more than three epochs before its labels are worth copying, but only dev tells when to stop. */
function earlyEpochs({ bond: { early }, patience }: Complete, hasDev: boolean): number {
  if (early !== "auto") return early;
  return hasDev && patience > 0 ? 10 : 3;
}

/** Items of which teacher and student are sure that they are none are plain negatives. */
function refuseOpenSilence({ sampler, head }: Complete): void {
  const hasOpen = "unknown" in head;
  const isOpen = hasOpen && head.unknown === "any";
  if (sampler.name !== "all" || isOpen)
    throw new InputError(
      `method bond: learns from all items, so sampler must be "all"${hasOpen ? ' and head.unknown "outside"' : ""}, got "${isOpen ? "any" : sampler.name}"`,
    );
}

async function pseudoLabelled(context: StageContext, settings: BondSettings, teacher: string): Promise<Prepared> {
  const { train } = context.data;
  const said = await meanShares(context, [teacher], train);
  const { adjustments, kept, left } = pseudoLabels(shifted(said, await context.shift(teacher)), train, settings);
  return {
    adjustments,
    summary: `the teacher is renewed: ${kept} spans or tokens have pseudo-labels, ${left} are left out`,
    facts: { kept, leftOut: left },
  };
}
