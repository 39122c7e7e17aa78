import { z } from "zod";
import { builtInSchema, type Prepared, type Settings, type Stage, type StageContext } from "../../training/index.ts";
import { distilled, memberStage, studentOf, studentSentences } from "../ensemble.ts";
import { goingOn } from "../going-on.ts";
import type { Method } from "../method.ts";
import { meanShares, openItems } from "../teaching.ts";
import { reweighted } from "./reweight.ts";
import { selfTargets } from "./self-targets.ts";

export const rosterSettings = z.strictObject({
  /** Models with other seeds whose mean is distilled into one. */
  members: z.int().min(1).default(5),
  /** Epochs under cross-entropy before the first round: the bounded loss hardly moves a model that says O everywhere. */
  warm: z.int().min(0).default(1),
  /** How often a member trains; from the second time on, labels that it does not trust train no more. */
  rounds: z.int().min(1).default(3),
  /** Epochs of each of these trainings. */
  every: z.int().min(1).default(3),
  /** A label is trusted when the model gives it more than this probability. */
  trust: z.number().min(0).lt(1).default(0.7),
  /** A type that would lose more than this share of its labels keeps all. */
  most: z.number().min(0).max(1).default(0.9),
  /** How often the distilled model learns its own sharpened types; `epochs` counts those of the distillation. */
  selfRounds: z.int().min(0).default(3),
  /** Epochs of each of these rounds. */
  selfEvery: z.int().min(1).default(1),
  /** Types are sharpened where an entity has more than this probability. */
  entity: z.number().min(0).lt(1).default(0.8),
});
export type RosterSettings = z.output<typeof rosterSettings>;
type Complete = Settings & { readonly roster: RosterSettings };

/**
 * RoSTER (Meng et al. 2021) with one classifier: members learn under a bounded loss and drop labels that they do not
 * trust, their mean is distilled into one model, and that learns its own sharpened types. No text is made up.
 */
export const roster: Method<{ readonly roster: RosterSettings }> = {
  name: "roster",
  description: "a bounded loss, labels that are not trusted left out, an ensemble distilled, its own types sharpened",
  settings: {
    sampler: "all",
    objective: "gce",
    head: { name: "token", output: "softmax" },
    decode: { shift: "auto" },
  },
  presets: {
    // Epochs of the authors' run on CoNLL03.
    paper: {
      encoderRate: 3e-5,
      epochs: 2,
      decode: { shift: 0 },
      head: { scheme: "io" },
      roster: { warm: 0, every: 1, selfRounds: 5 },
    },
  },
  needsTargets: true,
  usesUnlabelled: true,
  sections: { roster: rosterSettings.prefault({}) },
  stages(settings: Complete) {
    const { members: size, selfRounds } = settings.roster;
    const numbers = Array.from({ length: size }, (_, i) => i + 1);
    const members = numbers.map((number) => memberStage(settings, number, (own) => robustStages(own as Complete)));
    const names = members.map(({ name }) => name);
    const student = studentOf(settings);
    const stages: Stage[] = [
      ...members,
      { name: "distil", settings: student, prepare: (context) => distilled(context, names) },
    ];
    for (let round = 1; round <= selfRounds; round++) {
      const from = stages.at(-1)!.name;
      stages.push({
        name: `self-${round}`,
        from,
        settings: goingOn(student, settings.roster.selfEvery, `self ${round}`),
        prepare: (context) => sharpened(context, settings.roster, from, names),
      });
    }
    return stages;
  },
};

const plain = builtInSchema.pick({ objective: true }).parse({ objective: "cross-entropy" });

/** Trainings of one member, each from the weights of the one before. */
function robustStages(settings: Complete): Stage[] {
  const { warm, rounds, every } = settings.roster;
  const { roster: _, ...own } = settings;
  const stages: Stage[] =
    warm === 0
      ? [{ name: "robust-1", settings: { ...own, epochs: every } }]
      : [
          { name: "warm", settings: { ...own, ...plain, epochs: warm } },
          { name: "robust-1", from: "warm", settings: goingOn(own, every, "robust 1") },
        ];
  for (let round = 2; round <= rounds; round++) {
    const from = stages.at(-1)!.name;
    stages.push({
      name: `robust-${round}`,
      from,
      settings: goingOn(own, every, `robust ${round}`),
      prepare: (context) => trusted(context, settings.roster, from),
    });
  }
  return stages;
}

async function trusted(context: StageContext, settings: RosterSettings, own: string): Promise<Prepared> {
  const { train } = context.data;
  const corpus = await meanShares(context, [own], train);
  const { adjustments, doubted, left } = reweighted([...openItems(corpus, train)], corpus, settings);
  return {
    adjustments,
    summary: `labels are weighed anew: the types of ${doubted} labelled spans or tokens are not trusted, ${left} without a label are left out`,
    facts: { doubted, leftOut: left },
  };
}

async function sharpened(
  context: StageContext,
  settings: RosterSettings,
  own: string,
  members: readonly string[],
): Promise<Prepared> {
  const { sentences, ...given } = studentSentences(context.data);
  const [student, ensemble] = [
    await meanShares(context, [own], sentences),
    await meanShares(context, members, sentences),
  ];
  const { adjustments, sure } = selfTargets(
    [...openItems(student, sentences)],
    [...openItems(ensemble, sentences)],
    settings,
  );
  return {
    ...given,
    adjustments,
    summary: `targets are renewed: ${sure} spans or tokens have sharpened types`,
    facts: { targets: adjustments.length, sharpened: sure },
  };
}
