import type { Sentence } from "../text/index.ts";
import {
  builtInSchema,
  type Prepared,
  type Settings,
  type Stage,
  type StageContext,
  type TrainingData,
} from "../training/index.ts";
import { keyOf } from "../util/random.ts";
import { meanShares, openItems, taught } from "./teaching.ts";

/** The stages of a method with these settings. */
export type StagesOf = (settings: Settings) => readonly Stage[];

/** Members of an ensemble, each a run of its own with another seed, and the student that learns what they say together. */
export function ensembleStages(settings: Settings, stagesOf: StagesOf): Stage[] {
  const { size, keep } = settings.ensemble;
  const members = Array.from({ length: size }, (_, i) => memberStage(settings, i + 1, stagesOf));
  const names = members.map(({ name }) => name);
  return [
    ...members.map((member, i) => ({ ...member, ...(keep && { keepAs: `members/${i + 1}` }) })),
    { name: "distil", settings: studentOf(settings), prepare: (context) => distilled(context, names) },
  ];
}

/** A training with a seed of its own. The first has that of the run: it is the model that the run would be without others. */
export function memberStage(settings: Settings, number: number, stagesOf: StagesOf): Stage {
  const seed = number === 1 ? settings.seed : keyOf(settings.seed, "member", number);
  const own: Settings = { ...settings, seed, ensemble: { size: 1, keep: false } };
  return { name: `member-${number}`, settings: own, stages: stagesOf(own) };
}

/** Learns shares by cross-entropy: what the sampler and the objective of a method are for is in the shares already. */
export function studentOf(settings: Settings): Settings {
  const { sampler, objective, contrastive, inference, head, ...rest } = settings;
  const plain = builtInSchema.pick({ sampler: true, objective: true, contrastive: true, inference: true }).parse({
    sampler: "all",
    objective: "cross-entropy",
  });
  return {
    ...rest,
    ...plain,
    head: studentHead(head),
  };
}

/** What teachers are sure is none has no target, and must be a plain negative for the student. */
function studentHead(head: Settings["head"]): Settings["head"] {
  switch (head.name) {
    case "token":
      return { ...head, soft: "cross-entropy", unknown: "outside", non: { ...head.non, rate: 0 } };
    case "mrc":
    case "autoner":
      return { ...head, unknown: "outside" };
    default:
      return head;
  }
}

/** The sentences that a student learns from: those of the run, and the unlabelled ones. */
export function studentSentences({ train, unlabelled = [] }: TrainingData): Pick<Prepared, "train"> & {
  readonly sentences: readonly Sentence[];
} {
  if (unlabelled.length === 0) return { sentences: train };
  const sentences = [...train, ...unlabelled];
  return { sentences, train: { sentences, file: "distilled.jsonl" } };
}

/** The mean of the members as targets, for the unlabelled sentences too. */
export async function distilled(context: StageContext, members: readonly string[]): Promise<Prepared> {
  const { sentences, ...given } = studentSentences(context.data);
  const corpus = await meanShares(context, members, sentences);
  const adjustments = [...openItems(corpus, sentences)].flatMap((item) => taught(item, item.row));
  return {
    ...given,
    adjustments,
    summary: `${members.length} models are distilled into one: ${adjustments.length} spans or tokens with soft targets in ${sentences.length} sentences`,
    facts: { members: members.length, targets: adjustments.length },
  };
}
