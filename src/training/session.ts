import { type Encoder, openEncoder, type PrepareOptions } from "../encoders/index.ts";
import { type LeftOut, pieces, type TrainingTask } from "../heads/index.ts";
import { Predictor, type Shift } from "../inference/index.ts";
import { makeObjective } from "../objectives/index.ts";
import { makeSampler } from "../samplers/index.ts";
import type { ItemCounts } from "../text/index.ts";
import { compareSpans, type Sentence } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { longWork } from "../util/long-work.ts";
import { partOf } from "../util/parts.ts";
import type { TrainingData } from "./data.ts";
import { shiftByEstimate } from "./decision.ts";
import { type Group, Learner } from "./learner.ts";
import { optimisers } from "./optimiser.ts";
import { builtInParts, type Parts } from "./parts.ts";
import { runtimeOf, type Settings } from "./settings.ts";

/** What the user should know before the run: said once, never silently passed over. */
export interface Preparation {
  readonly sentences: number;
  readonly entities: number;
  readonly types: readonly string[];
  /** What the annotation says of the items that the model classifies. */
  readonly items: ItemCounts;
  /** Entities that cannot be learned, in groups that are not empty. */
  readonly leftOut: readonly LeftOut[];
  /** Types that dev has and train lacks. */
  readonly unseenTypes: readonly string[];
}

/** Everything that a training loop works with. */
export interface Session {
  readonly settings: Settings;
  readonly task: TrainingTask;
  readonly learner: Learner;
  readonly predictor: Predictor;
  readonly dev: readonly Sentence[];
  readonly preparation: Preparation;
  /** The shift that `decode.shift` stands for where dev cannot tell. */
  readonly shiftWithoutDev: Shift;
}

/** Makes everything ready for a training. */
export async function openSession(
  data: TrainingData,
  settings: Settings,
  parts: Parts = builtInParts,
  watching: Pick<PrepareOptions, "signal" | "progress"> = {},
): Promise<Session> {
  checkRecipe(settings, parts);
  const types = [...new Set([...typesOf(data.train), ...(data.types ?? [])])].sort();
  if (types.length === 0) throw new InputError("train: no entity types; the training data hold no labelled entity");
  const { kind: head, settings: ownOfHead } = partOf(parts.heads, settings.head);
  if (!head.takesCandidateTypes?.(ownOfHead)) data.train.forEach(refuseTwoTypes);
  const encoder = await longWork(() => openEncoder(settings.encoder, data.train, settings.seed, parts.encoders));
  const task = longWork(() => taskOf(data, encoder, types, settings, parts));
  const runtime = runtimeOf(settings);
  await encoder.prepare?.([...task.sentences, ...pieces(data.dev)], { ...watching, runtime, keep: true });
  const { loss, watched } = task.graph();
  const options = {
    seed: settings.seed,
    optimiser: optimisers[settings.optimiser](),
    group: groupsOf(encoder, settings),
    clip: settings.clip,
    runtime,
  };
  const learner = await Learner.create(loss, task.model.params, encoder.tables, options, watched);
  return {
    settings,
    task,
    learner,
    predictor: await Predictor.create(task.model, learner.store, { runtime }),
    dev: data.dev,
    shiftWithoutDev:
      typeof settings.decode.shift === "string" && data.dev.length === 0
        ? shiftByEstimate(data.estimated ?? data.train, settings.decode.shift, types)
        : 0,
    preparation: {
      sentences: data.train.length,
      entities: data.train.reduce((total, { entities }) => total + entities.length, 0),
      types,
      items: task.counts,
      leftOut: task.leftOut.filter(({ count }) => count > 0),
      unseenTypes: typesOf(data.dev).filter((type) => !types.includes(type)),
    },
  };
}

export async function closeSession({ learner, predictor, task }: Session): Promise<void> {
  await learner.dispose();
  await predictor.dispose();
  await task.model.encoder.dispose?.();
}

/** Refuses parts of a recipe that have no meaning for its head. */
export function checkRecipe(settings: Settings, parts: Parts): void {
  const { sampler, objective, contrastive, inference } = settings;
  const { kind: head, settings: own } = partOf(parts.heads, settings.head);
  head.check?.(own, {
    sampler: sampler.name,
    objective: objective.name,
    contrastive: contrastive.weight > 0,
    inference: inference.name,
  });
}

/** The model that settings name, with the training data as its items. */
function taskOf(
  { train, hidden, adjustments }: TrainingData,
  encoder: Encoder,
  types: readonly string[],
  settings: Settings,
  parts: Parts,
): TrainingTask {
  const { sampler, objective, contrastive, epochs, seed } = settings;
  const { kind: head, settings: own } = partOf(parts.heads, settings.head);
  return head.train({ sentences: train, hidden, adjustments }, encoder, types, own, {
    sampler: makeSampler(sampler, parts.samplers),
    objective: makeObjective(objective, contrastive, parts.objectives),
    epochs,
    seed,
  });
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
        `train: sentence ${number + 1} labels tokens ${entity.start + 1} to ${entity.end} both ${before.type} and ${entity.type}; a span has one type (--method partial-crf and autoner take several, one of which is right)`,
      );
    }
  });
}

export function typesOf(sentences: readonly Sentence[]): string[] {
  return [...new Set(sentences.flatMap(({ entities }) => entities.map(({ type }) => type)))].sort();
}
