import type { z } from "zod";
import type {
  EvaluationRecord,
  RunOptions,
  RunRecord,
  Settings,
  SettingsInput,
  Stage,
  TrainingData,
} from "../training/index.ts";

/** The other methods, for one that runs them. */
export interface OtherMethods {
  /** Complete settings for the method that they name. */
  complete(given: SettingsInput): Settings;
  /** The trainings that complete settings ask for. */
  stages(settings: Settings): readonly Stage[];
  /** Trains with complete settings. */
  train(data: TrainingData, settings: Settings, options: RunOptions): AsyncGenerator<RunRecord, EvaluationRecord[]>;
}

/** A named recipe: the settings in which it differs from the defaults, and the trainings it is made of. */
// biome-ignore lint/suspicious/noExplicitAny: each method has sections of its own, checked by their schemas
export interface Method<S = any> {
  readonly name: string;
  readonly description: string;
  /** Settings in which it differs from the defaults. Everything else stays the user's choice. */
  readonly settings: SettingsInput;
  /** Other readings by name, as far as they differ from the settings: what the paper prints, what its code does. */
  readonly presets?: Readonly<Record<string, SettingsInput>>;
  /** A stage learns from shares of labels, so its head must take them. */
  readonly needsTargets?: boolean;
  /** Learns from text of which nothing is said, too. */
  readonly usesUnlabelled?: boolean;
  /** Sections of the settings that only this method has. */
  readonly sections?: Readonly<Record<string, z.ZodType>>;
  /** Settings that follow from the data where the user left them open; what it fills in is stored with the model. */
  adapt?(settings: Settings & S, data: TrainingData): Settings & S;
  /** The trainings of a run in their order; one, with the settings as they are, when not given. */
  stages?(settings: Settings & S): readonly Stage[];
  /** Runs other methods instead of having trainings of its own. */
  run?(
    data: TrainingData,
    settings: Settings & S,
    options: RunOptions,
    others: OtherMethods,
  ): AsyncGenerator<RunRecord, EvaluationRecord[]>;
  /** Makes the model without any training; such a method needs no training data. */
  make?(data: TrainingData, settings: Settings & S, options: RunOptions): AsyncGenerator<RunRecord, EvaluationRecord[]>;
}

/** The trainings that complete settings ask for; none where nothing is trained. */
export function stagesOf(method: Method, settings: Settings): readonly Stage[] {
  if (method.make) return [];
  return method.stages?.(settings) ?? [{ name: "train", settings }];
}
