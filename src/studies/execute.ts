import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { countsOf, evaluate, type Report, type RunCounts } from "../evaluation/index.ts";
import { readAll } from "../formats/index.ts";
import { Recogniser } from "../inference/index.ts";
import { mask } from "../lexicon/index.ts";
import { train } from "../methods/index.ts";
import { type Document, type Entity, type Sentence, withoutAnnotation } from "../text/index.ts";
import {
  type EvaluationRecord,
  isInterrupted,
  isTrained,
  type RunRecord,
  readGold,
  readMetrics,
  type TrainingData,
} from "../training/index.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { readTextFile } from "../util/regular-file.ts";
import { SafetensorsFile } from "../util/safetensors.ts";
import { packCounts } from "./counts.ts";
import type { DataFiles, Masking, PlannedRun } from "./grid.ts";
import type { Result } from "./results.ts";
import { takePart } from "./take-part.ts";

export interface ExecutionOptions {
  /** The folder that the files of the data are in. */
  readonly data: string;
  /** A folder for this run alone: its model, and what a restart needs. */
  readonly directory: string;
  readonly threads: number;
  readonly signal?: AbortSignal;
}

/** What a run measures. */
export type Measured = Pick<
  Result,
  "train" | "parameters" | "bestEpoch" | "dev" | "test" | "unshifted" | "counts" | "epochs" | "seconds" | "memory"
>;

/**
 * Trains the model of a run, or goes on where an earlier attempt stopped, and measures it: dev chooses the state, test
 * is looked at once, by the state that was chosen.
 */
export async function* execute(
  { settings, files, masking }: PlannedRun,
  { data: folder, directory, threads, signal }: ExecutionOptions,
): AsyncGenerator<RunRecord, Measured, undefined> {
  const clock = await effort(directory);
  const data = await readTraining(files, masking, folder);
  const test = await readGold(join(folder, files.test), "test");
  const model = join(directory, "model");
  if (!isTrained(model) || isInterrupted(model)) {
    const options = { directory: model, resume: isInterrupted(model), ...(signal && { signal }) };
    for await (const record of train(data, { ...settings, threads }, options)) {
      if (record.kind === "evaluation") await clock.save();
      yield record;
    }
  }
  const history = await readHistory(model);
  const recogniser = await Recogniser.load(model, { threads });
  try {
    await recogniser.prepare([...data.dev, ...test], { runtime: { threads }, signal });
    const dev = await measure(recogniser, data.dev);
    const final = await measure(recogniser, test);
    const isShifted = typeof settings.decode.shift === "string";
    return {
      train: sizeOf(data),
      parameters: parametersOf(model),
      bestEpoch: history.filter(({ improved }) => improved).at(-1)!.epoch,
      dev: scoresOf(dev.report),
      test: scoresOf(final.report),
      ...(isShifted && { unshifted: scoresOf((await measure(recogniser, test, { shift: 0 })).report) }),
      counts: packCounts(final.counts),
      epochs: history.map(epochOf),
      ...clock.now(),
    };
  } finally {
    await recogniser.dispose();
  }
}

async function readTraining(files: DataFiles, masking: Masking | null, folder: string): Promise<TrainingData> {
  const documents: Document[] = [];
  const unlabelled: Sentence[] = [];
  for (const { file, silence, types, part } of files.train) {
    const isBare = silence === "unlabelled";
    const read = await readAll([join(folder, file)], { silence: isBare ? "unknown" : silence });
    for (const document of takePart(read, { types, part })) {
      if (isBare) unlabelled.push(...document.sentences.map(withoutAnnotation));
      else documents.push(document);
    }
  }
  const dev = await readGold(join(folder, files.dev), "dev");
  if (masking === null) return { train: documents.flatMap(({ sentences }) => sentences), dev, unlabelled };
  const train: Sentence[] = [];
  const hidden: (readonly Entity[])[] = [];
  const { by, rate, seed } = masking;
  for await (const each of mask(documents, by === "fraction" ? { by, fraction: rate } : { by, rate }, seed)) {
    for (const sentence of each.masked.sentences) train.push(sentence);
    for (const { entities } of each.hidden.sentences) hidden.push(entities);
  }
  return { train, dev, hidden, unlabelled };
}

/** The evaluations of the stage that made the model. */
async function readHistory(model: string): Promise<EvaluationRecord[]> {
  const history = (await readMetrics(model)).filter(({ stage }) => stage === undefined);
  if (history.every(({ dev }) => dev !== null)) return history;
  throw new InputError("not the evaluations of a model: one has no scores on dev", {
    file: join(model, "metrics.jsonl"),
  });
}

async function measure(
  recogniser: Recogniser,
  gold: readonly Sentence[],
  decode: { readonly shift?: number } = {},
): Promise<{ report: Report; counts: RunCounts }> {
  const predicted = await recogniser.sentences(gold, decode);
  const pairs = gold.map((sentence, i) => ({ gold: sentence, predicted: predicted[i]! }));
  return { report: await evaluate(pairs), counts: pairs.map(countsOf) };
}

function scoresOf({ precision, recall, f1, support, byType }: Report): Result["test"] {
  return { precision, recall, f1, support, byType };
}

function epochOf({ epoch, loss, dev, negatives, missampling }: EvaluationRecord): Result["epochs"][number] {
  const { precision, recall, f1 } = dev!;
  return { epoch, loss, precision, recall, f1, negatives, ...(missampling !== undefined && { missampling }) };
}

function sizeOf({ train, hidden = [] }: TrainingData): Result["train"] {
  return {
    sentences: train.length,
    entities: train.reduce((total, { entities }) => total + entities.length, 0),
    hidden: hidden.reduce((total, entities) => total + entities.length, 0),
  };
}

/** Vectors of words, fixed or tuned: `bilstm.words`, and those of sources, `source.words.vectors`. */
const wordTable = /(^|\.)words(-\d+\.vectors|\.vectors)?$/;

function parametersOf(model: string): Result["parameters"] {
  const file = SafetensorsFile.open(join(model, "model.safetensors"));
  try {
    const sizes = file.names.map((name) => [name, file.shape(name).reduce((a, b) => a * b, 1)] as const);
    const total = (some: typeof sizes): number => some.reduce((sum, [, size]) => sum + size, 0);
    return { all: total(sizes), words: total(sizes.filter(([name]) => wordTable.test(name))) };
  } finally {
    file.close();
  }
}

/** Time and memory of a run, added up over its restarts. */
interface Effort {
  now(): Pick<Result, "seconds" | "memory">;
  save(): Promise<void>;
}

async function effort(directory: string): Promise<Effort> {
  const file = join(directory, "effort.json");
  const before = existsSync(file) ? effortOf(await readTextFile(file), file) : undefined;
  const started = Date.now();
  const now = (): ReturnType<Effort["now"]> => ({
    seconds: Math.round((before?.seconds ?? 0) + (Date.now() - started) / 1000),
    memory: Math.max(before?.memory ?? 0, 1024 * process.resourceUsage().maxRSS),
  });
  return { now, save: () => writeTextAtomically(file, JSON.stringify(now())) };
}

const effortSchema = z.object({ seconds: z.number().min(0), memory: z.number().min(0) });

function effortOf(text: string, file: string): z.output<typeof effortSchema> {
  const parsed = effortSchema.safeParse(parseJson(text, "the effort of a run", { file }));
  if (parsed.success) return parsed.data;
  throw new InputError("not the effort of a run: expected seconds and memory; remove it", { file });
}
