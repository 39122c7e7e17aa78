import { describeOrdinary, manyOrdinary, withoutOrdinaryLabels } from "../evaluation/index.ts";
import type { Sentence } from "../text/index.ts";
import { dependsOnLength, type Preparation, type RunRecord, type Settings } from "../training/index.ts";

type Start = Extract<RunRecord, { kind: "start" }>;

/** What the user should know when a run starts, by its settings. */
export function startNotes(start: Start, settings: Settings): string[] {
  return [...silenceNotes(start.preparation, settings), ...resumeNotes(start, settings)];
}

/** How a run that was there before goes on. */
function resumeNotes({ resumed, extended }: Start, settings: Settings): string[] {
  if (!resumed) return [];
  if (extended === undefined) return ["going on from the checkpoint"];
  const { epochs } = settings;
  const causes = dependsOnLength(settings);
  return [
    `going on with ${epochs} epochs in all, ${extended} before`,
    ...(causes.length === 0
      ? []
      : [
          `note: the learning rate or the draws depend on the number of epochs (${causes.join(", ")}), so the weights will not be those of ${epochs} epochs from the start`,
        ]),
  ];
}

/** Plain training on gaps loses most of what is missing; the figures are those of the study masked-conll03. */
function silenceNotes({ items }: Preparation, settings: Settings): string[] {
  const { sampler, head } = settings;
  const readsSilence = sampler.name === "all" && !("unknown" in head && head.unknown === "any");
  if (settings.method !== "ce" || !readsSilence || items.unknown === 0) return [];
  const { hidden, plain, uniform } = costOfSilence;
  return [
    `warning: ce reads text that nobody labelled as "not an entity". On CoNLL03 with ${hidden} % of the labels hidden it has ${plain} test F1 where uniform has ${uniform}. Is every entity labelled? Then say so with --silence negative or --complete FILE. Otherwise use --method uniform`,
  ];
}

/** Test F1 in per cent, BiLSTM with GloVe over spans, six epochs, seed 1 (experiments/masked-conll03). */
export const costOfSilence = { hidden: 70, plain: 11.42, uniform: 85.44 };

/** That many labels are of ordinary words, where nobody asked for them to be left out; `auto` tries both. */
export function ordinaryNotes(train: readonly Sentence[], { ordinary, method }: Settings): string[] {
  if (ordinary === "drop" || method === "auto") return [];
  const found = withoutOrdinaryLabels(train);
  const labels = train.reduce((sum, { entities }) => sum + entities.length, 0);
  if (found.count === 0 || found.count < manyOrdinary * labels) return [];
  return [`${describeOrdinary(found)}; --set ordinary=drop leaves them out`];
}
