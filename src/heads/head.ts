import type { z } from "zod";
import type { Encoder, EncoderKind, Lookup } from "../encoders/index.ts";
import type { InputSpec } from "../inputs/index.ts";
import type { Chain, ParameterStore, Parameters } from "../nn/index.ts";
import type { Objective } from "../objectives/index.ts";
import type { Sampler } from "../samplers/index.ts";
import type { Data, Tensor } from "../tensor/index.ts";
import type { Entity, ItemCounts, Sentence, Span, Tag, TypeSets } from "../text/index.ts";

/**
 * A kind of model: what it classifies (its items: spans, tokens), how it trains, what it says of a sentence and which
 * entities follow from that. Everything else asks a head through this interface.
 */
// biome-ignore lint/suspicious/noExplicitAny: each head has settings of its own, checked by its schema
export interface Head<S = any> {
  readonly name: string;
  readonly description: string;
  /** Its settings, beside the name. */
  readonly settings: z.ZodObject;
  /** The method that is recommended for it; `uniform` when not given. */
  readonly method?: string;
  /** All its items train at every visit: no sampler picks among them. */
  readonly trainsAll?: boolean;
  /** A labelled span may have several types, one of which is right. */
  takesCandidateTypes?(settings: S): boolean;
  /** It learns from the shares of a teacher (`Adjustment.target`), and its models have `states`. */
  readonly takesTargets?: boolean;
  /** Refuses parts of a recipe that have no meaning for it. They are never passed over. */
  check?(settings: S, recipe: RecipeNames): void;
  /** What reads text for it in place of an encoder of the user's choice. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind has settings of its own, checked by its schema
  readonly encoder?: EncoderKind<any>;
  /** A model by its saved settings, its weights still to be filled in. */
  open(encoder: Encoder, types: readonly string[], settings: S): Model;
  /** A new model, and the training data as its items. */
  train(corpus: Corpus, encoder: Encoder, types: readonly string[], settings: S, parts: TrainingParts): TrainingTask;
}

/** The names of the parts that train with a head. */
export interface RecipeNames {
  readonly sampler: string;
  readonly objective: string;
  /** A contrastive loss stands beside the objective. */
  readonly contrastive: boolean;
  readonly inference: string;
}

/** The parts that train with a head. */
export interface TrainingParts {
  readonly sampler: Sampler;
  readonly objective: Objective;
  /** How many epochs the run has at most. */
  readonly epochs: number;
  readonly seed: number;
}

/** Sentences to learn from. */
export interface Corpus {
  readonly sentences: readonly Sentence[];
  /** Sentence by sentence, entities that were hidden on purpose: only counted, never used. */
  readonly hidden?: readonly (readonly Entity[])[] | undefined;
  /** What earlier stages found out about single items. */
  readonly adjustments?: readonly Adjustment[] | undefined;
}

/**
 * What a stage changes for the next one at an item that is not left out. Heads that learn more than their items, such as
 * starts, ends and gaps, make of it what follows for these.
 */
export interface Adjustment extends Span {
  /** Number of the sentence. */
  readonly sentence: number;
  /** How much it trains; 0 takes it out. In a chain of tags all that has no target weighs 0 or 1. */
  readonly weight: number;
  /** Shares of the model's labels, which sum to 1: what a teacher says. */
  readonly target?: readonly number[];
  /** Numbers of labels one of which is right, instead of what the annotation says. */
  readonly allowed?: readonly number[];
}

export function bySentence(adjustments: readonly Adjustment[]): ReadonlyMap<number, readonly Adjustment[]> {
  const result = new Map<number, Adjustment[]>();
  for (const each of adjustments) {
    const found = result.get(each.sentence);
    if (found) found.push(each);
    else result.set(each.sentence, [each]);
  }
  return result;
}

/** A model: enough to train it, to save and restore it, and to find entities with it. */
export interface Model {
  /** The name of its head. */
  readonly head: string;
  readonly encoder: Encoder;
  readonly types: readonly string[];
  /** What an item can be: "O", then types or tags. */
  readonly labels: readonly string[];
  /** The number of each label's type; -1 for labels of no entity. */
  readonly typeOf: readonly number[];
  /** Complete settings: with the encoder and the types they make the same model again. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly params: Parameters;
  /** Rows of the model card. */
  readonly facts: readonly (readonly [name: string, value: string])[];
  /** How predicted entities go together, where the head leaves no choice. */
  readonly overlap?: Overlap;
  /** Why its decision cannot be shifted, where that is so. */
  readonly rigid?: string;
  /** Why it cannot be exported, where that lies in its nature. */
  readonly unportable?: string;
  /** What labels retrieved by similarity need; heads that cannot use them lack it. */
  readonly retrieval?: RetrievalPart;
  /** Places that a sentence takes in prediction, where that is not what the encoder says. */
  size?(sentence: Sentence): number;
  /** The items of a sentence of so many tokens. */
  items(length: number): Items;
  /** What the annotation of a sentence says of each of its items: an `itemState`. */
  states?(sentence: Sentence, sets: TypeSets): Int16Array;
  /** All items of sentences as numbers. */
  batch(sentences: readonly Sentence[]): Batch;
  /** The graph of prediction, without dropout. */
  prediction(): Prediction;
  /** The hidden states of items as prediction sees them, `[batch, items, width]`, where a head has such. */
  vectors?(): Tensor;
  /** How an exported model makes the inputs of the head and decodes its scores; a model without it cannot be exported. */
  portable?(store: ParameterStore): PortableHead;
  /** Possible entities of a sentence without the graph, those of its scores; only models that compute nothing have it. */
  lookUp?(sentence: Sentence): Candidate[];
  /** How possible entities of sentences are found with these weights; anew when they change. */
  candidates(store: ParameterStore): FindCandidates;
  /** What the model says of a sentence if all that its annotation says is true; heads that cannot tell lack it. */
  completion?(sentence: Sentence, scores: ItemScores, store: ParameterStore): Completion;
}

/** A sentence completed by a model. */
export interface Completion {
  /** The labels of the items that go best together. */
  readonly labels: Int32Array;
  /** The entities that follow from them. */
  readonly entities: readonly Entity[];
  /** The distribution of each item's label: `[items, labels]`, row by row. */
  readonly shares: Float64Array;
  /** 1 for items that the annotation leaves open. */
  readonly open: Uint8Array;
}

/** What an exported model needs from its head, beside its graph. */
export interface PortableHead {
  readonly inputs: readonly InputSpec[];
  readonly decoding: Decoding;
}

/** How entities follow from the scores of a model, as an exported model says it. */
export type Decoding =
  /** Every span up to a width has a label: 0 is none, then the types. */
  | { readonly kind: "spans"; readonly maxWidth: number }
  /** Every token has a tag; the best sequence by the scores of tags and of their neighbourhood counts. */
  | {
      readonly kind: "tags";
      readonly tags: readonly Pick<Tag, "role" | "type">[];
      readonly chain: Chain<readonly number[]>;
    };

/** Probabilities are mixed, as the paper has it, or log-probabilities with retrieved shares, as the authors' code does. */
export type Mix = "prob" | "log";

/** What retrieval needs: the mean hidden state of each label, `[labels, hidden]`, zero for labels that were not seen. */
export interface Retrieval {
  readonly centroids: Float32Array;
  /** The weight of what is retrieved; at 0 the model is on its own. */
  readonly alpha: number;
  readonly mix: Mix;
}

/** What a model offers to retrieval. */
export interface RetrievalPart {
  /** Width of the hidden states. */
  readonly width: number;
  /** The graph of prediction by the model and by centroids together. */
  prediction(mix: Mix): Prediction;
}

/** The items of a sentence in their order. */
export interface Items {
  readonly size: number;
  starts(): Int32Array;
  ends(): Int32Array;
}

/** `[batch, items, labels]` each. */
export interface Prediction {
  /** What decoding goes by. */
  readonly logits: Tensor;
  /** The distribution of each item's label, given the whole sentence. */
  readonly logProbs: Tensor;
}

/** What a model says of the items of a sentence: `[items, labels]`, row by row. */
export interface ItemScores {
  readonly items: Items;
  readonly logits: Float32Array;
  readonly logProbs: Float32Array;
}

/** A span with the label (a type, from 1) that scores highest there, and its log-probability. */
export interface Candidate extends Span {
  readonly label: number;
  readonly score: number;
}

/** Possible entities of a sentence, by what a model says of its items. */
export type FindCandidates = (scores: ItemScores) => Candidate[];

/**
 * Which predicted spans may stand together.
 * - `flat`: no two share a token.
 * - `nested`: one may lie within another, but they do not cross.
 * - `all`: every span counts.
 */
export type Overlap = "flat" | "nested" | "all";

/** A batch as numbers, for the graph and for the tables outside of it. */
export interface Batch {
  readonly feeds: Record<string, Data>;
  readonly lookups: readonly Lookup[];
}

/** What a training batch holds, for the records. */
export interface BatchCounts {
  readonly tokens: number;
  readonly positives: number;
  /** Unknown items that serve as negatives. */
  readonly negatives: number;
  /** How many of these are hidden entities. */
  readonly missampled: number;
}

/** The pass over the data that a batch belongs to: the key of its randomness. */
export interface Visit {
  readonly seed: number;
  readonly epoch: number;
}

/** Labelled entities that cannot be learned, and why. */
export interface LeftOut {
  readonly count: number;
  readonly reason: string;
}

/** Hidden states added up by label, `[labels, width]`, and how many there are of each, `[labels]`. */
export interface LabelSums {
  readonly sums: Tensor;
  readonly counts: Tensor;
}

/** A model with its training data: all that the training loop needs to know of either. */
export interface TrainingTask {
  readonly model: Model;
  /** Places that each item of the data takes in a row of the encoder's batch; batches are lists of their numbers. */
  readonly sizes: readonly number[];
  /** What the annotation says, in numbers. */
  readonly counts: ItemCounts;
  readonly leftOut: readonly LeftOut[];
  /** Entities that were hidden on purpose are known. */
  readonly knowsHidden: boolean;
  /** The sentences, or pieces of long ones, that the encoder will see. */
  readonly sentences: readonly Sentence[];
  /** The graph of a training step, and outputs of it that `counts` wants to see. */
  graph(): { readonly loss: Tensor; readonly watched: Readonly<Record<string, Tensor>> };
  /** A graph of the hidden states of a batch, for retrieval; heads that cannot use it lack it. */
  labelSums?(): LabelSums;
  /** Some of the data as numbers, and what they turned out to hold once the step was done. */
  batch(
    members: readonly number[],
    visit: Visit,
  ): { readonly batch: Batch; counts(outputs: Readonly<Record<string, Data>>): BatchCounts };
}
