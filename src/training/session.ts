import { createHash } from "node:crypto";
import type { Encoder } from "../encoders/index.ts";
import { Predictor } from "../inference/predict.ts";
import { drawnCount, type TrainingItem } from "../models/batch.ts";
import { excludedSpan, spanGrid, spanStates, widthFor, widthLoss } from "../models/span-grid.ts";
import { type SpanModel, spanModel } from "../models/span-model.ts";
import { windows } from "../models/windows.ts";
import { makeObjective } from "../objectives/index.ts";
import { makeSampler, type Sampler } from "../samplers/index.ts";
import type { RuntimeOptions } from "../tensor/index.ts";
import { compareSpans, type Entity, type Sentence, tokenCount, tokenTexts } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { type Group, Learner } from "./learner.ts";
import { optimisers } from "./optimiser.ts";
import type { Settings } from "./settings.ts";

/** What a run learns from. `hidden` holds, sentence by sentence, entities that were masked on purpose: only counted, never used. */
export interface TrainingData {
  readonly train: readonly Sentence[];
  readonly dev: readonly Sentence[];
  readonly hidden?: readonly (readonly Entity[])[] | undefined;
}

/** What the user should know before the run: said once, never silently passed over. */
export interface Preparation {
  readonly sentences: number;
  readonly entities: number;
  readonly types: readonly string[];
  readonly maxWidth: number;
  /** Entities wider than the limit, which can be neither learned nor found. */
  readonly tooWide: number;
  /** Types that dev has and train lacks. */
  readonly unseenTypes: readonly string[];
}

/** Everything that a training loop works with. */
export interface Session {
  readonly settings: Settings;
  readonly model: SpanModel;
  readonly learner: Learner;
  readonly predictor: Predictor;
  readonly sampler: Sampler;
  readonly items: readonly TrainingItem[];
  readonly dev: readonly Sentence[];
  readonly preparation: Preparation;
  /** Tells runs apart whose settings or data differ. */
  readonly fingerprint: string;
}

export async function openSession(data: TrainingData, encoder: Encoder, settings: Settings): Promise<Session> {
  const types = typesOf(data.train);
  if (types.length === 0) throw new InputError("train: no entity types; the training data hold no labelled entity");
  refuseNoDev(data, settings);
  const { maxWidth: wanted, ...rest } = settings.model;
  const maxWidth = wanted === "auto" ? widthFor(data.train, 0.999) : wanted;
  const items = trainingItems(data, types, maxWidth, encoder);
  const sampler = makeSampler(settings.sampler);
  const model = spanModel(
    encoder,
    types,
    { ...rest, maxWidth },
    outsideOdds(items, sampler, types.length, settings.seed),
  );
  const runtime = runtimeOf(settings);
  const objective = makeObjective(settings.objective, settings.contrastive);
  const { loss, places } = model.training(objective, sampler, settings.epochs);
  const learner = await Learner.create(
    loss,
    model.params,
    encoder.tables,
    {
      seed: settings.seed,
      optimiser: optimisers[settings.optimiser](),
      group: groupsOf(encoder, settings),
      clip: settings.clip,
      runtime,
    },
    places && { places },
  );
  return {
    settings,
    model,
    learner,
    predictor: await Predictor.create(model, learner.store, runtime),
    sampler,
    items,
    dev: data.dev,
    preparation: {
      sentences: data.train.length,
      entities: data.train.reduce((total, { entities }) => total + entities.length, 0),
      types,
      maxWidth,
      tooWide: widthLoss(data.train, maxWidth).lost,
      unseenTypes: typesOf(data.dev).filter((type) => !types.includes(type)),
    },
    fingerprint: fingerprintOf(data, settings),
  };
}

export function runtimeOf({ device, threads }: Settings): RuntimeOptions {
  return { device, ...(threads > 0 && { threads }) };
}

/** Threads, device and the time limit may change when a run is resumed; all else makes another run. */
function fingerprintOf({ train, dev }: TrainingData, { threads, device, minutes, ...settings }: Settings): string {
  return createHash("sha256")
    .update(JSON.stringify(settings))
    .update(hashSentences(train))
    .update(hashSentences(dev))
    .digest("hex");
}

/** A hash of tokens and annotations: the same data in another file format hash alike. */
export function hashSentences(sentences: readonly Sentence[]): string {
  const hash = createHash("sha256");
  for (const sentence of sentences) {
    const { entities, rejected, unsure, complete } = sentence;
    hash.update(JSON.stringify([tokenTexts(sentence), entities, rejected, unsure, complete]));
  }
  return hash.digest("hex");
}

export async function closeSession({ learner, predictor }: Session): Promise<void> {
  await learner.dispose();
  await predictor.dispose();
}

/** Pretrained weights learn at their own rate; biases and norms do not decay. */
function groupsOf(
  { pretrained }: Encoder,
  { rate, encoderRate, decay }: Settings,
): (name: string, decays: boolean) => Group {
  return (name, decays) => ({
    rate: pretrained.some((prefix) => name.startsWith(prefix)) ? encoderRate : rate,
    decay: decays ? decay : 0,
  });
}

/** Sentences as items, long ones in pieces; sentences without tokens have nothing to teach. */
function trainingItems(
  { train, hidden }: TrainingData,
  types: readonly string[],
  maxWidth: number,
  encoder: Encoder,
): TrainingItem[] {
  const ids = new Map(types.map((type, i) => [type, i + 1]));
  const items: TrainingItem[] = [];
  train.forEach((sentence, number) => {
    if (tokenCount(sentence) === 0) return;
    refuseTwoTypes(sentence, number);
    for (const { sentence: piece, offset, ownStart, ownEnd } of windows(sentence)) {
      const grid = spanGrid(tokenCount(piece), maxWidth);
      const states = spanStates(piece, grid, (type) => ids.get(type)!, types);
      const starts = grid.starts();
      starts.forEach((start, index) => {
        if (start < ownStart || start >= ownEnd) states[index] = excludedSpan;
      });
      const masked = hidden?.[number]?.map((entity) =>
        grid.index({ start: entity.start - offset, end: entity.end - offset }),
      );
      items.push({
        id: items.length,
        sentence: piece,
        size: encoder.size(piece),
        grid,
        states,
        hidden: masked && new Set(masked.filter((index) => index >= 0)),
      });
    }
  });
  return items;
}

/** Log-odds of "not an entity" against the mean of the types among the spans that an epoch trains. */
function outsideOdds(items: readonly TrainingItem[], sampler: Sampler, types: number, seed: number): number {
  let [negatives, positives] = [0, 0];
  for (const item of items) {
    for (const state of item.states) {
      if (state > 0) positives++;
      else if (state === 0) negatives++;
    }
  }
  negatives += drawnCount(items, sampler, { seed, epoch: 0 });
  return Math.log((negatives + 1) / ((positives + 1) / types));
}

function refuseNoDev({ dev }: TrainingData, { inference }: Settings): void {
  if (inference.name === "retrieval" && inference.alpha === "dev" && dev.length === 0) {
    throw new InputError(
      "train: the weight of retrieval is chosen on dev, and there is no dev set; give it as inference.alpha, a number from 0 to 1",
    );
  }
}

function refuseTwoTypes({ entities }: Sentence, number: number): void {
  entities.forEach((entity, i) => {
    const before = entities[i - 1];
    if (before && compareSpans(before, entity) === 0) {
      throw new InputError(
        `train: sentence ${number + 1} labels tokens ${entity.start + 1} to ${entity.end} both ${before.type} and ${entity.type}; a span has one type`,
      );
    }
  });
}

function typesOf(sentences: readonly Sentence[]): string[] {
  return [...new Set(sentences.flatMap(({ entities }) => entities.map(({ type }) => type)))].sort();
}
