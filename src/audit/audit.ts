import { join } from "node:path";
import type { Document, Sentence } from "../text/index.ts";
import {
  crossFit,
  type ExecuteFold,
  type OutOfFoldScores,
  type Parts,
  type Settings,
  type StageRecord,
} from "../training/index.ts";
import { InputError } from "../util/errors.ts";
import { longWork } from "../util/long-work.ts";
import { keyOf } from "../util/random.ts";
import type { DictionaryLookup } from "./candidates.ts";
import { type SpanMeans, spanMeans } from "./mean-spans.ts";
import { mostPlaces, nearestLabelled } from "./neighbours.ts";
import { type Audit, type Ranked, rank } from "./rank.ts";
import { neighbourReason } from "./reasons.ts";
import { auditFolds } from "./recipe.ts";
import { spanProbabilities } from "./span-probabilities.ts";

export interface AuditOptions {
  /** Where the models and their scores are kept; an interrupted audit goes on there. */
  readonly directory: string;
  /** Parts of the corpus; each is judged by a model that was trained on the others. */
  readonly folds?: number | undefined;
  /** How often all is done over with other folds and seeds; the scores are averaged. */
  readonly repeats?: number | undefined;
  /** Folds that are trained at a time. */
  readonly jobs?: number | undefined;
  /** Sentences whose annotation is complete: the scores are calibrated on them. */
  readonly dev?: readonly Sentence[] | undefined;
  readonly lookUp?: DictionaryLookup | undefined;
  /** The share of the given labels that are right, where it is known: what models contradict tells only a part. */
  readonly trust?: number | undefined;
  /** Suspicions that are less sure are left out. */
  readonly least?: number | undefined;
  readonly parts?: Parts | undefined;
  /** Who trains the folds; processes on this machine unless given. */
  readonly execute?: ExecuteFold | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Hears what happens in each training. */
  readonly see?: ((event: AuditEvent) => void) | undefined;
}

export interface AuditEvent {
  readonly repeat: number;
  readonly fold: number;
  readonly record: StageRecord;
}

/** Below this, less than one suspicion in twenty would be right. */
const leastScore = 0.05;

/**
 * Finds what is probably missing from an annotation or wrong in it: trains models on parts of the documents, asks each
 * about the sentences it has not seen, and ranks what does not fit. A pure function of documents, settings and options.
 */
export async function audit(
  documents: readonly Document[],
  settings: Settings,
  { directory, jobs, dev, lookUp, parts, execute, signal, see, ...options }: AuditOptions,
): Promise<Audit> {
  const { folds = auditFolds.usual, repeats = 1 } = options;
  if (folds < 2) throw new InputError(`audit: expected at least 2 folds, got ${folds}`);
  if (repeats < 1) throw new InputError(`audit: expected at least 1 repetition, got ${repeats}`);
  const sentences = documents.flatMap((document) => document.sentences);
  const types = [...new Set(sentences.flatMap(({ entities }) => entities.map(({ type }) => type)))].sort();
  const means = { own: sentences.map(spanMeans), dev: dev?.map(spanMeans) };
  let first: OutOfFoldScores | undefined;
  for (let repeat = 0; repeat < repeats; repeat++) {
    const seed = repeat === 0 ? settings.seed : keyOf(settings.seed, "repeat", repeat);
    const fitted = await crossFit(
      sentences,
      { ...settings, seed },
      {
        directory: join(directory, `repeat-${repeat + 1}`),
        folds,
        jobs,
        parts,
        execute,
        signal,
        see: ({ fold, record }) => see?.({ repeat, fold, record }),
      },
    );
    await addScores(fitted, types, means, dev);
    first ??= fitted;
  }
  const ranked = longWork(() =>
    rank(
      documents,
      means.own.map((sums) => sums.spans()),
      {
        types,
        models: repeats,
        dev: dev && means.dev && { sentences: dev, spans: means.dev.map((sums) => sums.spans()) },
        lookUp,
        trust: options.trust,
        least: options.least ?? leastScore,
        seed: settings.seed,
      },
    ),
  );
  return withNeighbours(ranked, sentences, first!, signal);
}

/** The suspicions that are seen first also say what they are like; the models of one repetition are enough for that. */
async function withNeighbours(
  { places, ...audit }: Ranked,
  sentences: readonly Sentence[],
  fitted: OutOfFoldScores,
  signal: AbortSignal | undefined,
): Promise<Audit> {
  const near = await nearestLabelled(places.slice(0, mostPlaces), sentences, fitted, signal);
  const suspicions = audit.suspicions.map((suspicion, i) => ({
    ...suspicion,
    reasons: [...suspicion.reasons, ...neighbourReason(near[i] ?? [])],
  }));
  return { ...audit, suspicions };
}

async function addScores(
  fitted: OutOfFoldScores,
  types: readonly string[],
  means: { readonly own: readonly SpanMeans[]; readonly dev: readonly SpanMeans[] | undefined },
  dev: readonly Sentence[] | undefined,
): Promise<void> {
  const spansOf = spanProbabilities(fitted.labels, types);
  for (const { sentence, scores } of fitted.scores()) means.own[sentence]!.add(spansOf(scores));
  if (dev === undefined || means.dev === undefined) return;
  for await (const { sentence, scores } of fitted.unseen(dev)) means.dev[sentence]!.add(spansOf(scores));
}
