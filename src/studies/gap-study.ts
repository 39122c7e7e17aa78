import { join } from "node:path";
import { evaluate, type Report } from "../evaluation/index.ts";
import { loadModel, Predictor, Recogniser, type Shift } from "../inference/index.ts";
import { mask } from "../lexicon/index.ts";
import { completeSettings, type MethodName, train as trainModel } from "../methods/index.ts";
import { compareEntities, type Document, type Entity, type Sentence, surface } from "../text/index.ts";
import {
  decide,
  type EvaluationRecord,
  type RunRecord,
  type SettingsInput,
  type TrainingData,
} from "../training/index.ts";
import { type ProbableGaps, probableGaps } from "./probable-gaps.ts";

/** Completely annotated text, from which a study hides a part. */
export interface GapStudyData {
  readonly train: readonly Document[];
  readonly dev: readonly Sentence[];
  readonly test: readonly Sentence[];
}

export interface GapStudyOptions {
  /** The share of training annotations to hide. */
  readonly share: number;
  readonly seed: number;
  /** The method that is compared with plain training. */
  readonly method: MethodName;
  /** Settings of all systems. */
  readonly settings: SettingsInput;
  /** Where the models go, each in a folder with the name of its system. */
  readonly directory: string;
  readonly signal?: AbortSignal;
}

/** The systems of a study: plain training on what is left, the method on the same, and plain training with nothing hidden. */
export type SystemName = "plain" | "model" | "complete";

export interface SystemResult {
  readonly method: MethodName;
  readonly test: Report;
  /** Every evaluation on dev. */
  readonly history: readonly EvaluationRecord[];
}

/** An entity of the test set in its sentence. */
export interface Example {
  readonly type: string;
  readonly surface: string;
  readonly sentence: string;
}

/** The model of plain training with the decision shift that is best on dev: a remedy that costs no training. */
export interface ShiftedResult {
  readonly shift: Shift;
  readonly dev: Report;
  readonly test: Report;
  /** As that of the study. */
  readonly wonBack?: number;
}

/** What hiding annotations does to plain training, and how much of it a shift and a method win back. */
export interface GapStudy {
  readonly annotations: number;
  readonly hidden: number;
  readonly sentences: { readonly train: number; readonly dev: number; readonly test: number };
  readonly systems: Readonly<Record<SystemName, SystemResult>>;
  readonly shifted: ShiftedResult;
  /** Share of the F1 that hiding costs plain training; missing where it costs nothing. */
  readonly wonBack?: number;
  /** Entities of the test set that the method finds and plain training does not. */
  readonly missedByPlain: readonly Example[];
  readonly gaps: ProbableGaps;
}

export type GapStudyRecord = { readonly kind: "system"; readonly name: SystemName } | RunRecord;

/** Trains the three systems and compares them; yields what the training runs yield. */
export async function* gapStudy(
  { train, dev, test }: GapStudyData,
  options: GapStudyOptions,
): AsyncGenerator<GapStudyRecord, GapStudy, undefined> {
  const { share, seed, method, directory } = options;
  const masked: Sentence[] = [];
  const hidden: (readonly Entity[])[] = [];
  for await (const each of mask(train, { by: "fraction", fraction: share }, seed)) {
    for (const sentence of each.masked.sentences) masked.push(sentence);
    for (const { entities } of each.hidden.sentences) hidden.push(entities);
  }
  const all = train.flatMap(({ sentences }) => sentences);
  const plain = yield* system("plain", "ce", { train: masked, dev, hidden }, test, options);
  const model = yield* system("model", method, { train: masked, dev, hidden }, test, options);
  const complete = yield* system("complete", "ce", { train: all, dev }, test, options);
  const shifted = await shiftedModel(join(directory, "plain"), dev, test);
  const cost = complete.result.test.f1 - plain.result.test.f1;
  const wonBack = (by: { readonly test: Report }): { readonly wonBack?: number } =>
    cost > 0 ? { wonBack: (by.test.f1 - plain.result.test.f1) / cost } : {};
  return {
    annotations: all.reduce((total, { entities }) => total + entities.length, 0),
    hidden: hidden.reduce((total, entities) => total + entities.length, 0),
    sentences: { train: all.length, dev: dev.length, test: test.length },
    systems: { plain: plain.result, model: model.result, complete: complete.result },
    shifted: { ...shifted, ...wonBack(shifted) },
    ...wonBack(model.result),
    missedByPlain: missedBy(plain.predicted, model.predicted, test),
    gaps: probableGaps(masked, await tagged(join(directory, "model"), masked), hidden),
  };
}

async function* system(
  name: SystemName,
  method: MethodName,
  data: TrainingData,
  test: readonly Sentence[],
  { settings, seed, directory, signal }: GapStudyOptions,
): AsyncGenerator<GapStudyRecord, { result: SystemResult; predicted: Sentence[] }, undefined> {
  yield { kind: "system", name };
  const target = { directory: join(directory, name), ...(signal && { signal }) };
  const history = yield* trainModel(data, completeSettings({ ...settings, method, seed }), target);
  const predicted = await tagged(target.directory, test);
  const report = await evaluate(test.map((gold, i) => ({ gold, predicted: predicted[i]! })));
  return { result: { method, test: report, history }, predicted };
}

async function shiftedModel(
  directory: string,
  dev: readonly Sentence[],
  test: readonly Sentence[],
): Promise<ShiftedResult> {
  const { model, store } = await loadModel(directory);
  const predictor = await Predictor.create(model, store);
  try {
    const decode = { overlap: "flat", minScore: 0, shift: "auto" } as const;
    const { shift = 0, dev: chosen } = await decide(predictor, dev, { decode }, 0);
    const predicted = await predictor.predict(test, { shift });
    return { shift, dev: chosen!, test: await evaluate(test.map((gold, i) => ({ gold, predicted: predicted[i]! }))) };
  } finally {
    await predictor.dispose();
  }
}

async function tagged(directory: string, sentences: readonly Sentence[]): Promise<Sentence[]> {
  const recogniser = await Recogniser.load(directory);
  try {
    return await recogniser.sentences(sentences);
  } finally {
    await recogniser.dispose();
  }
}

/** Long sentences make poor examples. */
const exampleLength = 140;

/** Entities of gold that one system misses and another finds, a type after the other so that all have a turn. */
function missedBy(missing: readonly Sentence[], finding: readonly Sentence[], gold: readonly Sentence[]): Example[] {
  const byType = new Map<string, Example[]>();
  gold.forEach((sentence, i) => {
    if (sentence.text.length > exampleLength) return;
    const has = ({ entities }: Sentence, entity: Entity): boolean =>
      entities.some((other) => compareEntities(other, entity) === 0);
    for (const entity of sentence.entities) {
      if (has(missing[i]!, entity) || !has(finding[i]!, entity)) continue;
      const examples = byType.get(entity.type) ?? [];
      byType.set(entity.type, examples);
      examples.push({ type: entity.type, surface: surface(sentence, entity), sentence: sentence.text });
    }
  });
  const turns = [...byType.values()].flatMap((examples) => examples.map((example, turn) => ({ example, turn })));
  return turns.sort((a, b) => a.turn - b.turn).map(({ example }) => example);
}
