import { createHash } from "node:crypto";

import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeDocuments } from "../formats/index.ts";
import type { Adjustment } from "../heads/index.ts";
import { entitiesOf, itemVectors, type LoadedModel, loadModel, Scorer } from "../inference/index.ts";
import type { Sentence } from "../text/index.ts";
import { ChildFailure, workInChild } from "../util/child-process.ts";
import { InputError } from "../util/errors.ts";
import { makeFolder } from "../util/make-folder.ts";
import { inParallel } from "../util/parallel.ts";
import { documentsOf, type TrainingData } from "./data.ts";
import { fingerprintOf, hashSentences } from "./fingerprint.ts";
import { type FoldModel, hasScores, type OutOfFoldScores, readFacts, readScores, writeScores } from "./fold-scores.ts";
import { foldsOf } from "./folds.ts";
import { builtInParts, type Parts } from "./parts.ts";
import { typesOf } from "./session.ts";
import { runtimeOf, type Settings } from "./settings.ts";
import { isTrained } from "./stage.ts";
import { type StageRecord, trainStage } from "./train-stage.ts";

export interface CrossFitOptions {
  /** Where the folds' models and scores are kept; an interrupted cross-fit goes on there. */
  readonly directory: string;
  /** How many parts the sentences are dealt to; each is scored by a model that was trained on the others. */
  readonly folds: number;
  /** Chooses the best state of each model, or with `keep` last only its shift; without it the last state counts. */
  readonly dev?: readonly Sentence[] | undefined;
  /** Sentences that are dealt and scored like the others, after them, but that no model is trained on. */
  readonly unlabelled?: readonly Sentence[] | undefined;
  /** What is known of single items beside the annotation, by the numbers of the sentences. */
  readonly adjustments?: readonly Adjustment[] | undefined;
  /** Folds that are trained at a time, each in a process of its own when there are several. */
  readonly jobs?: number | undefined;
  readonly parts?: Parts | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Who does the folds; processes on this machine unless given. Fails with a `ChildFailure` where the fold does. */
  readonly execute?: ExecuteFold | undefined;
  /** Hears what happens in each fold. */
  readonly see?: ((event: { readonly fold: number; readonly record: StageRecord }) => void) | undefined;
}

export type ExecuteFold = (
  orders: FoldOrders,
  options: { readonly signal?: AbortSignal | undefined; readonly see: (record: StageRecord) => void },
) => Promise<null>;

const inProcess: ExecuteFold = (orders, options) => workInChild<StageRecord, null>(workerScript(), orders, options);

/** The work of one fold. */
export interface FoldOrders {
  readonly fold: number;
  readonly folds: number;
  readonly settings: Settings;
  readonly directory: string;
  /** The sentences, where they must be read from a file, and how many of them are for training. */
  readonly data: string;
  readonly trained: number;
  readonly dev: string;
  readonly adjustments: readonly Adjustment[];
}

/**
 * Cross-fitting: K models, each trained on all folds but one, and from each the label distribution of every item of the
 * sentences it was not trained on. A short training is better than a long one, which learns the silence by heart. One fold
 * is the control: a model that judges what it was taught.
 */
export async function crossFit(
  train: readonly Sentence[],
  settings: Settings,
  options: CrossFitOptions,
): Promise<OutOfFoldScores> {
  const { directory, folds, dev = [], unlabelled = [], adjustments = [], jobs = 1, signal, see, execute } = options;
  const { parts = builtInParts } = options;
  if (folds < 1) throw new InputError(`cross-fitting: expected at least 1 fold, got ${folds}`);
  const all = [...train, ...unlabelled];
  const dealt = foldsOf(all, folds, settings.seed);
  await makeFolder(directory);
  const numbers = Array.from({ length: folds }, (_, fold) => fold);
  if ((jobs > 1 || execute) && parts === builtInParts) {
    const files = { data: join(directory, "train.jsonl"), dev: join(directory, "dev.jsonl") };
    await writeDocuments(files.data, documentsOf(all));
    await writeDocuments(files.dev, documentsOf(dev));
    await inParallel(numbers, jobs, async (fold) => {
      const orders: FoldOrders = { fold, folds, settings, directory, ...files, trained: train.length, adjustments };
      await (execute ?? inProcess)(orders, { signal, see: (record) => see?.({ fold, record }) }).catch(
        (error: unknown) => {
          throw error instanceof ChildFailure ? new Error(`fold ${fold + 1} of ${folds}: ${error.message}`) : error;
        },
      );
    });
  } else {
    for (const fold of numbers)
      await fitFold(all, settings, {
        trained: train.length,
        dev,
        adjustments,
        directory,
        fold,
        folds,
        parts,
        signal,
        tell: (record) => see?.({ fold, record }),
      });
  }
  const facts = readFacts(scoresFile(directory, 0));
  async function* models(): AsyncGenerator<FoldModel> {
    for (const fold of numbers) {
      const { scorer, model } = await openFold(foldFolder(directory, fold), settings, parts);
      const { shift } = readFacts(scoresFile(directory, fold));
      try {
        yield { scorer, shift, members: numbersIn(dealt, fold) };
      } finally {
        await scorer.dispose();
        await model.encoder.dispose?.();
      }
    }
  }
  return {
    ...facts,
    folds: dealt,
    *scores() {
      for (const fold of numbers) {
        const members = numbersIn(dealt, fold);
        const found = readScores(scoresFile(directory, fold), members.length);
        for (const [i, scored] of found.entries()) yield { sentence: members[i]!, ...scored };
      }
    },
    async *vectors(fold, sentences) {
      const loaded = await openModel(foldFolder(directory, fold), parts);
      try {
        yield* itemVectors(loaded, sentences, runtimeOf(settings));
      } finally {
        await loaded.model.encoder.dispose?.();
      }
    },
    async *unseen(sentences) {
      for await (const { scorer } of models()) {
        let sentence = 0;
        for await (const scores of scorer.scores(sentences)) yield { sentence: sentence++, scores };
      }
    },
    models,
  };
}

export interface FitFoldOptions {
  /** How many of the sentences, the first ones, are for training. */
  readonly trained: number;
  readonly dev: readonly Sentence[];
  readonly adjustments?: readonly Adjustment[];
  readonly directory: string;
  readonly fold: number;
  readonly folds: number;
  readonly parts?: Parts;
  readonly signal?: AbortSignal | undefined;
  readonly tell: (record: StageRecord) => void;
}

/** Trains the model of a fold, or goes on with it, and writes what it says of the sentences it has not seen. */
export async function fitFold(
  sentences: readonly Sentence[],
  settings: Settings,
  { trained, dev, adjustments = [], directory, fold, folds, parts = builtInParts, signal, tell }: FitFoldOptions,
): Promise<void> {
  const dealt = foldsOf(sentences, folds, settings.seed);
  const unseen = sentences.filter((_, number) => dealt[number] === fold);
  const isTaught = (number: number): boolean => number < trained && (folds === 1 || dealt[number] !== fold);
  const members = Array.from(dealt.keys()).filter(isTaught);
  const train = members.map((number) => sentences[number]!);
  const data: TrainingData = {
    train,
    dev,
    // Every fold knows all types, also one that only the others have.
    types: typesOf(sentences),
    // All folds have the same gaps, and a fold alone may be too small to tell how many.
    estimated: sentences.slice(0, trained),
    adjustments: ofSentences(adjustments, members),
  };
  const fingerprint = createHash("sha256")
    .update(JSON.stringify([fingerprintOf(data, settings), hashSentences(unseen)]))
    .digest("hex");
  const file = scoresFile(directory, fold);
  if (hasScores(file, fingerprint)) return;
  const folder = foldFolder(directory, fold);
  if (!isTrained(folder)) {
    for await (const record of trainStage(data, settings, { directory: folder, parts, signal })) tell(record);
  }
  const { scorer, model, store, config } = await openFold(folder, settings, parts);
  try {
    const { overlap, minScore, shift: given } = settings.decode;
    const shift = config.decode?.shift ?? (typeof given === "string" ? 0 : given);
    const { labels, types, typeOf } = model;
    await writeScores(file, scorer.scores(unseen), { fingerprint, labels, types, typeOf, shift }, (scores) =>
      entitiesOf(scores, { model, store }, { overlap, minScore, shift }),
    );
  } finally {
    await scorer.dispose();
    await model.encoder.dispose?.();
  }
}

/** The adjustments of some sentences, which are numbered anew. */
function ofSentences(adjustments: readonly Adjustment[], members: readonly number[]): Adjustment[] {
  const places = new Map(members.map((number, place) => [number, place]));
  return adjustments.flatMap((each) => {
    const sentence = places.get(each.sentence);
    return sentence === undefined ? [] : [{ ...each, sentence }];
  });
}

async function openFold(
  folder: string,
  settings: Settings,
  parts: Parts,
): Promise<LoadedModel & { readonly scorer: Scorer }> {
  const loaded = await openModel(folder, parts);
  const { model, store, retrieval } = loaded;
  return { ...loaded, scorer: await Scorer.create(model, store, { runtime: runtimeOf(settings), retrieval }) };
}

function openModel(folder: string, parts: Parts): Promise<LoadedModel> {
  return loadModel(folder, { heads: Object.values(parts.heads), encoders: Object.values(parts.encoders) });
}

function numbersIn(dealt: Int32Array, fold: number): number[] {
  return Array.from(dealt.keys()).filter((number) => dealt[number] === fold);
}

/** Where the model of a fold is and its scores. */
export function foldFolder(directory: string, fold: number): string {
  return join(directory, `fold-${fold + 1}`);
}

function scoresFile(directory: string, fold: number): string {
  return join(foldFolder(directory, fold), "scores.safetensors");
}

function workerScript(): URL {
  return new URL(`./fold-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
}
