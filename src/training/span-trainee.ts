import { evaluate } from "../evaluation/index.ts";
import { Predictor } from "../inference/predict.ts";
import { drawnCount, type TrainingItem, trainingBatch } from "../models/batch.ts";
import { excludedSpan, spanGrid, spanStates, widthFor, widthLoss } from "../models/span-grid.ts";
import { spanModel } from "../models/span-model.ts";
import { windows } from "../models/windows.ts";
import { makeObjective } from "../objectives/index.ts";
import { makeSampler, type Sampler } from "../samplers/index.ts";
import { tokenCount } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { fitRetrieval } from "./retrieval.ts";
import { runtimeOf, type Settings } from "./settings.ts";
import type { OpenTrainee, Trainee, TrainingData } from "./trainee.ts";

/** A span model in training: entities and known negatives, and the unknown spans that the sampler picks. */
export const spanTrainee: OpenTrainee<"span"> = (data, encoder, types, settings) => {
  if (settings.explore.epochs > 0) {
    throw new InputError("explore: a span model has no single tokens to take out of training (known: model=token)");
  }
  const { inference, epochs, seed } = settings;
  refuseNoDev(data, settings);
  const { name: _, maxWidth: wanted, ...rest } = settings.model;
  const maxWidth = wanted === "auto" ? widthFor(data.train, 0.999) : wanted;
  const items = trainingItems(data, types, maxWidth);
  const sampler = makeSampler(settings.sampler);
  const model = spanModel(encoder, types, { ...rest, maxWidth }, outsideOdds(items, sampler, types.length, seed));
  const sizes = items.map(({ sentence }) => encoder.size(sentence));
  const lost = widthLoss(data.train, maxWidth).lost;
  const trainee: Trainee = {
    model,
    sizes,
    knowsHidden: data.hidden !== undefined,
    leftOut: [{ count: lost, reason: `wider than ${maxWidth} tokens and cannot be learned (--set model.maxWidth=…)` }],
    graph() {
      const objective = makeObjective(settings.objective, settings.contrastive);
      const { loss, places } = model.training(objective, sampler, epochs);
      return { loss, watched: places ? { places } : {} };
    },
    batch(members, visit) {
      const chosen = members.map((member) => items[member]!);
      const { batch, counts } = trainingBatch(chosen, encoder, sampler, visit);
      return { batch, counts: ({ places }) => counts(places?.data as Int32Array | undefined) };
    },
  };
  if (inference.name === "plain") return trainee;
  const runtime = runtimeOf(settings);
  return {
    ...trainee,
    complete: (store) =>
      fitRetrieval(model, store, {
        ...inference,
        sizes,
        settings,
        sampler,
        batch: (members, visit) => trainee.batch(members, visit).batch,
        async evaluate(retrieval) {
          if (data.dev.length === 0) return null;
          const predictor = await Predictor.create(model, store, runtime, retrieval);
          const predicted = await predictor.predict(data.dev, settings.decode);
          await predictor.dispose();
          return evaluate(data.dev.map((gold, i) => ({ gold, predicted: predicted[i]! })));
        },
      }),
  };
};

/** Sentences as items, long ones in pieces; sentences without tokens have nothing to teach. */
function trainingItems({ train, hidden }: TrainingData, types: readonly string[], maxWidth: number): TrainingItem[] {
  const ids = new Map(types.map((type, i) => [type, i + 1]));
  const items: TrainingItem[] = [];
  train.forEach((sentence, number) => {
    if (tokenCount(sentence) === 0) return;
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
