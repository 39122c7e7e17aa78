import type { Encoder } from "../encoders/index.ts";
import type { Report } from "../evaluation/index.ts";
import type { Batch, BatchCounts, Visit } from "../models/batch.ts";
import type { AnyModel, ModelKind, ModelSettings } from "../models/kinds.ts";
import type { Retrieval } from "../models/retrieval.ts";
import type { ParameterStore } from "../nn/index.ts";
import type { Data, Tensor } from "../tensor/index.ts";
import type { Entity, Sentence } from "../text/index.ts";
import type { OutsideValues, TokenPlace } from "./removed-tokens.ts";
import type { Settings } from "./settings.ts";

/** What a run learns from. `hidden` holds, sentence by sentence, entities that were masked on purpose: only counted, never used. */
export interface TrainingData {
  readonly train: readonly Sentence[];
  readonly dev: readonly Sentence[];
  readonly hidden?: readonly (readonly Entity[])[] | undefined;
}

/** Labelled entities that cannot be learned, and why: what they are. */
export interface LeftOut {
  readonly count: number;
  readonly reason: string;
}

/** What is added to a model after its training, and its scores on dev with it. */
export interface Addition {
  readonly retrieval: Retrieval;
  readonly dev: Report | null;
}

/** A model of some kind in training: all that the trainer needs to know of it. */
export interface Trainee {
  readonly model: AnyModel;
  /** Places that each item takes in a row of the encoder's batch; batches are made of item numbers. */
  readonly sizes: readonly number[];
  /** Entities that were hidden on purpose are known. */
  readonly knowsHidden: boolean;
  readonly leftOut: readonly LeftOut[];
  /** The graph of a training step, and outputs of it that `counts` wants to see. */
  graph(): { readonly loss: Tensor; readonly watched: Readonly<Record<string, Tensor>> };
  /** Items as numbers, and what the batch turned out to hold once the step was done. */
  batch(
    members: readonly number[],
    visit: Visit,
  ): { readonly batch: Batch; counts(outputs: Readonly<Record<string, Data>>): BatchCounts };
  /** What the best model is given after the last epoch, if anything. */
  complete?(store: ParameterStore): Promise<Addition>;
  /** How much the model, as it is, takes each unknown token for O. Kinds that have no tokens to take out lack it. */
  outsideValues?(store: ParameterStore): Promise<OutsideValues>;
}

/** The part of a run for which a trainee is made. */
export interface StagePart {
  /** A short training whose only use is to find tokens that are better left out. */
  readonly exploring: boolean;
  /** Tokens of the training data that are taken out of training. */
  readonly removed: readonly TokenPlace[];
}

/** Settings of a run with a model of a kind. */
export type SettingsOf<K extends ModelKind> = Settings & { readonly model: Extract<ModelSettings, { name: K }> };

/** Makes a model ready for training. */
export type OpenTrainee<K extends ModelKind> = (
  data: TrainingData,
  encoder: Encoder,
  types: readonly string[],
  settings: SettingsOf<K>,
  part: StagePart,
) => Trainee;
