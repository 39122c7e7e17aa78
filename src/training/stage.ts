import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { writeDocuments } from "../formats/index.ts";
import type { Adjustment } from "../heads/index.ts";
import { loadModel, readConfig, Scorer, type Shift } from "../inference/index.ts";
import type { Sentence } from "../text/index.ts";
import { writeTextAtomically } from "../util/atomic.ts";
import { InputError } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { makeFolder } from "../util/make-folder.ts";
import { readTextFile } from "../util/regular-file.ts";
import { documentsOf, readSentences, type TrainingData } from "./data.ts";
import type { OutOfFoldScores } from "./fold-scores.ts";
import type { SettingsInput } from "./merge.ts";
import type { Parts } from "./parts.ts";
import { runtimeOf, type Settings } from "./settings.ts";

/**
 * A training inside a run, with a model of its own. The last stage's model is the run's; those before serve to prepare
 * it.
 */
export interface Stage {
  readonly name: string;
  readonly settings: Settings;
  /** Keeps the last state instead of the best on dev. */
  readonly withoutDev?: boolean;
  /** Starts from the model of this earlier stage, which had the same sentences, instead of from the first weights. */
  readonly from?: string;
  /** A run of its own, with these stages, in this one's folder and on its data. `settings` are those of the last one. */
  readonly stages?: readonly Stage[];
  /** Where the model of a stage before the last stays when the run is over, below the run's directory. */
  readonly keepAs?: string;
  /** Cross-fits instead of training one model: what is said of each sentence comes from a model that has not seen it. */
  readonly folds?: number;
  /** Changes the data of this stage by what the models of earlier ones say. Deterministic, like everything in a run. */
  prepare?(context: StageContext): Promise<Prepared>;
}

export interface StageContext {
  /** The data as the run was given them. */
  readonly data: TrainingData;
  /** The model of an earlier stage at work; the caller disposes of it. */
  scorer(stage: string): Promise<Scorer>;
  /** What the decoding of an earlier stage's model adds to the score of O. */
  shift(stage: string): Promise<Shift>;
  /** What an earlier stage with folds says of its sentences, and of the unlabelled ones after them. */
  outOfFold(stage: string): OutOfFoldScores;
  /** The names of the stages with folds that ran, in their order. */
  readonly fitted: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** What a stage is given beside the data. */
export interface Prepared {
  readonly adjustments: readonly Adjustment[];
  /** Sentences to learn from instead of those that the run was given; they are kept in a file beside the model. */
  readonly train?: { readonly sentences: readonly Sentence[]; readonly file: string };
  /** Settings of this training that follow from its sentences; they go over those of the stage. */
  readonly settings?: SettingsInput;
  /** One line for the person who waits. */
  readonly summary: string;
  /** Figures that the model directory keeps. */
  readonly facts: Readonly<Record<string, number>>;
  /** Text files to keep beside the model, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Earlier stages have come to rest: neither this one nor those between it and the last are needed. */
  readonly settled?: boolean;
}

/** What a stage may prepare its data from. */
export interface PreparationContext {
  readonly data: TrainingData;
  readonly parts: Parts;
  /** What the stages with folds so far say. */
  readonly fitted: ReadonlyMap<string, OutOfFoldScores>;
  readonly signal?: AbortSignal | undefined;
}

/** Where a stage keeps its files: the last one's model is the run's own. */
export function stageFolder(directory: string, stages: readonly Stage[], stage: Stage): string {
  return stage === stages.at(-1) ? directory : join(stagesFolder(directory), stage.name);
}

export function stagesFolder(directory: string): string {
  return join(directory, "stages");
}

/** A run that was begun and is not over has a checkpoint, or stages that it has not taken away. */
export function isInterrupted(directory: string): boolean {
  return existsSync(join(directory, "checkpoint")) || existsSync(stagesFolder(directory));
}

/** Ends a run: models that are to stay are moved out of the folder of stages, which is taken away. */
export async function tidyStages(directory: string, stages: readonly Stage[]): Promise<void> {
  for (const { name, keepAs } of stages) {
    const folder = join(stagesFolder(directory), name);
    if (keepAs === undefined || !existsSync(folder)) continue;
    await makeFolder(dirname(join(directory, keepAs)));
    await rename(folder, join(directory, keepAs));
  }
  await rm(stagesFolder(directory), { recursive: true, force: true });
}

/** A training is over when its folder has a model and no checkpoint any more. */
export function isTrained(folder: string): boolean {
  return existsSync(join(folder, "config.json")) && !existsSync(join(folder, "checkpoint"));
}

/**
 * What a stage prepares, or prepared before the run was interrupted: it is kept, so that a resumed run does not depend
 * on anything but files.
 */
export async function prepareStage(
  stage: Stage & Required<Pick<Stage, "prepare">>,
  directory: string,
  context: PreparationContext,
): Promise<{ readonly prepared: Prepared; readonly before: boolean }> {
  const file = join(stagesFolder(directory), stage.name, "prepared.json");
  if (existsSync(file)) return { prepared: await readPrepared(file, directory), before: true };
  const { data, parts, signal, fitted } = context;
  const folderOf = (name: string): string => join(stagesFolder(directory), name);
  const prepared = await stage.prepare({
    data,
    signal,
    outOfFold: (name) => fitted.get(name)!,
    async shift(name) {
      const { shift } = (await readConfig(folderOf(name))).decode ?? { shift: stage.settings.decode.shift };
      return typeof shift === "string" ? 0 : shift;
    },
    fitted: [...fitted.keys()],
    async scorer(name) {
      const { model, store, retrieval } = await loadModel(folderOf(name), {
        heads: Object.values(parts.heads),
        encoders: Object.values(parts.encoders),
      });
      return Scorer.create(model, store, { runtime: runtimeOf(stage.settings), retrieval });
    },
  });
  for (const [name, text] of Object.entries(prepared.files ?? {}))
    await writeTextAtomically(join(directory, name), text);
  const { adjustments, train, settings, summary, facts, settled } = prepared;
  if (train) await writeDocuments(join(directory, train.file), documentsOf(train.sentences));
  await makeFolder(folderOf(stage.name));
  const kept = { adjustments, train: train?.file, settings, summary, facts, settled };
  await writeTextAtomically(file, `${JSON.stringify(kept)}\n`);
  return { prepared, before: false };
}

const place = z.int().min(0);
const preparedSchema = z.object({
  adjustments: z.array(
    z.object({
      sentence: place,
      start: place,
      end: place,
      weight: z.number().min(0),
      target: z.array(z.number().min(0).max(1)).optional(),
      allowed: z.array(place).optional(),
    }),
  ),
  train: z
    .string()
    .regex(/^[\w-]+\.jsonl$/)
    .optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  summary: z.string(),
  facts: z.record(z.string(), z.number()),
  settled: z.boolean().optional(),
});

/** What a stage prepared before the run was interrupted. */
export async function readPrepared(file: string, directory: string): Promise<Prepared> {
  const parsed = preparedSchema.safeParse(parseJson(await readTextFile(file), "what a stage prepared", { file }));
  if (!parsed.success) throw new InputError("not what a stage prepared; remove it and resume again", { file });
  const { train, ...rest } = parsed.data;
  if (train === undefined) return rest as Prepared;
  return {
    ...rest,
    train: { sentences: await readSentences([join(directory, train)], { format: "lacuna" }), file: train },
  } as Prepared;
}
