import { createHash } from "node:crypto";
import type { Encoder } from "../encoders/index.ts";
import { Predictor } from "../inference/predict.ts";
import type { ModelKind } from "../models/kinds.ts";
import { compareSpans, type Sentence, tokenTexts } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { type Group, Learner } from "./learner.ts";
import { optimisers } from "./optimiser.ts";
import { runtimeOf, type Settings } from "./settings.ts";
import { spanTrainee } from "./span-trainee.ts";
import { tokenTrainee } from "./token-trainee.ts";
import type { LeftOut, OpenTrainee, StagePart, Trainee, TrainingData } from "./trainee.ts";

/** What the user should know before the run: said once, never silently passed over. */
export interface Preparation {
  readonly sentences: number;
  readonly entities: number;
  readonly types: readonly string[];
  /** Entities that cannot be learned, in groups that are not empty. */
  readonly leftOut: readonly LeftOut[];
  /** Types that dev has and train lacks. */
  readonly unseenTypes: readonly string[];
}

/** Everything that a training loop works with. */
export interface Session {
  readonly settings: Settings;
  readonly trainee: Trainee;
  readonly learner: Learner;
  readonly predictor: Predictor;
  readonly dev: readonly Sentence[];
  readonly preparation: Preparation;
}

/** Every kind of model in training. */
const trainees: { readonly [K in ModelKind]: OpenTrainee<K> } = { span: spanTrainee, token: tokenTrainee };

/** Makes everything ready for a training, or for a part of one. */
export async function openSession(
  data: TrainingData,
  encoder: Encoder,
  settings: Settings,
  part: StagePart = { exploring: false, removed: [] },
): Promise<Session> {
  const types = typesOf(data.train);
  if (types.length === 0) throw new InputError("train: no entity types; the training data hold no labelled entity");
  data.train.forEach(refuseTwoTypes);
  const trainee = trainees[settings.model.name](data, encoder, types, settings as never, part);
  const { loss, watched } = trainee.graph();
  const options = {
    seed: settings.seed,
    optimiser: optimisers[settings.optimiser](),
    group: groupsOf(encoder, settings),
    clip: settings.clip,
    runtime: runtimeOf(settings),
  };
  const learner = await Learner.create(loss, trainee.model.params, encoder.tables, options, watched);
  return {
    settings,
    trainee,
    learner,
    predictor: await Predictor.create(trainee.model, learner.store, options.runtime),
    // A training that keeps no model has nothing to choose on dev.
    dev: part.exploring ? [] : data.dev,
    preparation: {
      sentences: data.train.length,
      entities: data.train.reduce((total, { entities }) => total + entities.length, 0),
      types,
      leftOut: trainee.leftOut.filter(({ count }) => count > 0),
      unseenTypes: typesOf(data.dev).filter((type) => !types.includes(type)),
    },
  };
}

/** Threads, device and the time limit may change when a run is resumed; all else makes another run. */
export function fingerprintOf(
  { train, dev }: TrainingData,
  { threads, device, minutes, ...settings }: Settings,
): string {
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
