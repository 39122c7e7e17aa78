import { encoderInput } from "../../encoders/index.ts";
import { type Head, heads } from "../../heads/index.ts";
import { merge, type Settings } from "../../training/index.ts";
import { own } from "../../util/own.ts";
import { keyOf } from "../../util/random.ts";
import { stageSettings } from "../stage-settings.ts";
import type { SelfTrainSettings } from "./settings.ts";
import { teachers } from "./teachers.ts";

type Complete = Settings & { readonly selfTrain: SelfTrainSettings };

/** The settings of the teachers of a round: the student's, under the recipe of their method and with an encoder of their own. */
export function teacherSettings({ selfTrain, ...base }: Complete, round: number, repeat: number): Settings {
  const { teacher, encoder, patience } = selfTrain;
  const name = teacher === "auto" ? (own<Head>(heads, base.head.name)?.trainsAll ? "ce" : "uniform") : teacher;
  return stageSettings("self-train", {
    // The labels of a round leave out what nobody is sure of: silence may be trusted from then on.
    ...(round === 1 ? merge(base, teachers[name]!) : base),
    ...(encoder !== "same" && { encoder: encoderInput(encoder) }),
    epochs: teacherEpochs({ ...base, selfTrain }, true),
    patience,
    keep: patience > 0 ? "best" : "last",
    seed: keyOf(base.seed, `teacher ${round}`, ...(repeat > 1 ? [repeat] : [])),
  });
}

/** How long teachers train at most: as long as the student only where a dev set ends them. */
export function teacherEpochs({ selfTrain: { epochs, patience }, ...student }: Complete, hasDev: boolean): number {
  if (typeof epochs === "number") return epochs;
  return epochs === "auto" && hasDev && patience > 0 ? student.epochs : Math.ceil(student.epochs / 2);
}

/** The name of a cross-fit as a stage. */
export function roundName(round: number, repeat: number): string {
  return repeat === 1 ? `teachers-${round}` : `teachers-${round}-${repeat}`;
}
