import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeDocuments } from "../formats/index.ts";
import type { ItemScores } from "../heads/index.ts";
import { loadModel, Scorer } from "../inference/index.ts";
import type { Document, Sentence } from "../text/index.ts";
import { ChildFailure, workInChild } from "../util/child-process.ts";
import { InputError } from "../util/errors.ts";
import { inParallel } from "../util/parallel.ts";
import type { TrainingData } from "./data.ts";
import { fingerprintOf } from "./fingerprint.ts";
import { hasScores, readLabels, readScores, writeScores } from "./fold-scores.ts";
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
  /** Folds that are trained at a time, each in a process of its own when there are several. */
  readonly jobs?: number | undefined;
  readonly parts?: Parts | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Hears what happens in each fold. */
  readonly see?: ((event: { readonly fold: number; readonly record: StageRecord }) => void) | undefined;
}

/** What models say of sentences that they have not seen. */
export interface OutOfFoldScores {
  /** "O", then types or tags. */
  readonly labels: readonly string[];
  /** The fold of each sentence. */
  readonly folds: Int32Array;
  /** The scores of every sentence, fold by fold: one fold is in memory at a time. */
  scores(): Generator<{ readonly sentence: number; readonly scores: ItemScores }>;
  /** What the model of every fold says of sentences that none of them was trained on, model by model. */
  unseen(sentences: readonly Sentence[]): AsyncGenerator<{ readonly sentence: number; readonly scores: ItemScores }>;
}

/** The work of one fold. */
export interface FoldOrders {
  readonly fold: number;
  readonly folds: number;
  readonly settings: Settings;
  readonly directory: string;
  /** The sentences, where they must be read from a file. */
  readonly data: string;
}

/**
 * Cross-fitting: K models, each trained on all folds but one, and from each the label distribution of every item of the
 * sentences it was not trained on. A short training is better than a long one, which learns the silence by heart. The
 * last state of each is used: there is no dev set for a fold.
 */
export async function crossFit(
  train: readonly Sentence[],
  settings: Settings,
  { directory, folds, jobs = 1, parts = builtInParts, signal, see }: CrossFitOptions,
): Promise<OutOfFoldScores> {
  if (folds < 2) throw new InputError(`cross-fitting: expected at least 2 folds, got ${folds}`);
  const dealt = foldsOf(train, folds, settings.seed);
  await mkdir(directory, { recursive: true });
  const numbers = Array.from({ length: folds }, (_, fold) => fold);
  if (jobs > 1 && parts === builtInParts) {
    const data = join(directory, "train.jsonl");
    await writeDocuments(data, documentsOf(train));
    await inParallel(numbers, jobs, async (fold) => {
      const orders: FoldOrders = { fold, folds, settings, directory, data };
      await workInChild<StageRecord, null>(workerScript(), orders, {
        signal,
        see: (record) => see?.({ fold, record }),
      }).catch((error: unknown) => {
        throw error instanceof ChildFailure ? new Error(`fold ${fold + 1} of ${folds}: ${error.message}`) : error;
      });
    });
  } else {
    for (const fold of numbers)
      await fitFold(train, settings, {
        directory,
        fold,
        folds,
        parts,
        signal,
        tell: (record) => see?.({ fold, record }),
      });
  }
  return {
    labels: readLabels(scoresFile(directory, 0)),
    folds: dealt,
    *scores() {
      for (const fold of numbers) {
        const members = numbersIn(dealt, fold);
        const found = readScores(scoresFile(directory, fold), members.length);
        for (const [i, scores] of found.entries()) yield { sentence: members[i]!, scores };
      }
    },
    async *unseen(sentences) {
      for (const fold of numbers) {
        const scorer = await scorerOf(foldFolder(directory, fold), settings, parts);
        try {
          let sentence = 0;
          for await (const scores of scorer.scores(sentences)) yield { sentence: sentence++, scores };
        } finally {
          await scorer.dispose();
        }
      }
    },
  };
}

export interface FitFoldOptions {
  readonly directory: string;
  readonly fold: number;
  readonly folds: number;
  readonly parts?: Parts;
  readonly signal?: AbortSignal | undefined;
  readonly tell: (record: StageRecord) => void;
}

/** Trains the model of a fold, or goes on with it, and writes what it says of the sentences it has not seen. */
export async function fitFold(
  train: readonly Sentence[],
  settings: Settings,
  { directory, fold, folds, parts = builtInParts, signal, tell }: FitFoldOptions,
): Promise<void> {
  const dealt = foldsOf(train, folds, settings.seed);
  const part = (inside: boolean): Sentence[] => train.filter((_, number) => (dealt[number] === fold) === inside);
  // Every fold knows all types, also one that only the others have.
  const data: TrainingData = { train: part(false), dev: [], types: typesOf(train) };
  const fingerprint = createHash("sha256")
    .update(JSON.stringify(fingerprintOf(data, settings)))
    .digest("hex");
  const file = scoresFile(directory, fold);
  if (hasScores(file, fingerprint)) return;
  const folder = foldFolder(directory, fold);
  if (!isTrained(folder)) {
    for await (const record of trainStage(data, settings, { directory: folder, parts, signal })) tell(record);
  }
  const scorer = await scorerOf(folder, settings, parts);
  try {
    await writeScores(file, scorer.scores(part(true)), { fingerprint, labels: scorer.labels });
  } finally {
    await scorer.dispose();
  }
}

async function scorerOf(folder: string, settings: Settings, parts: Parts): Promise<Scorer> {
  const own = { heads: Object.values(parts.heads), encoders: Object.values(parts.encoders) };
  const { model, store, retrieval } = await loadModel(folder, own);
  return Scorer.create(model, store, { runtime: runtimeOf(settings), retrieval });
}

function numbersIn(dealt: Int32Array, fold: number): number[] {
  return Array.from(dealt.keys()).filter((number) => dealt[number] === fold);
}

/** Sentences that stand in the same text are one document. */
function documentsOf(sentences: readonly Sentence[]): Document[] {
  const documents: { text: string; sentences: Sentence[] }[] = [];
  for (const sentence of sentences) {
    const last = documents.at(-1);
    const after = last?.sentences.at(-1)?.offsets.at(-1) ?? 0;
    if (last?.text === sentence.text && (sentence.offsets[0] ?? after) >= after) last.sentences.push(sentence);
    else documents.push({ text: sentence.text, sentences: [sentence] });
  }
  return documents;
}

function foldFolder(directory: string, fold: number): string {
  return join(directory, `fold-${fold + 1}`);
}

function scoresFile(directory: string, fold: number): string {
  return join(foldFolder(directory, fold), "scores.safetensors");
}

function workerScript(): URL {
  return new URL(`./fold-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);
}
