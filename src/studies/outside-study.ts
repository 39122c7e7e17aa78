import { Scorer } from "../inference/index.ts";
import { ascending, type OutsideValues, outsideValues, removedCount, type ValueKind } from "../methods/index.ts";
import type { Entity } from "../text/index.ts";
import {
  closeSession,
  openSession,
  runtimeOf,
  type Settings,
  startOfRun,
  type TrainingData,
  trainingLoop,
} from "../training/index.ts";
import { InputError } from "../util/errors.ts";

/** What taking out a share of the tokens would do: how many of those taken are hidden entities' tokens, how many of these are taken. */
export interface DetectionPoint {
  readonly share: number;
  readonly precision: number;
  readonly recall: number;
}

/** The state of a tagger after an epoch of plain training on data with hidden entities. */
export interface OutsideStudyRecord {
  readonly epoch: number;
  readonly loss: number;
  /** Mean value of O over tokens that are in no entity, and over those of hidden entities. */
  readonly outside: number;
  readonly hidden: number;
  readonly detection: readonly DetectionPoint[];
}

/** The shares of the paper and more around them. */
export const detectionShares: readonly number[] = [0.003125, 0.00625, 0.0125, 0.025, 0.05, 0.1, 0.2, 0.4];

/**
 * Trains a tagger plainly on data whose hidden entities are known, and looks after each epoch at how much it takes the
 * tokens for O: hidden ones less at first, then as much as all the others, when the model has learned them by heart.
 */
export async function* outsideStudy(
  data: TrainingData,
  settings: Settings,
  { value, shares = detectionShares }: { readonly value: ValueKind; readonly shares?: readonly number[] },
): AsyncGenerator<OutsideStudyRecord, void, undefined> {
  const { train, hidden } = data;
  if (!hidden) throw new InputError("outside study: the hidden entities must be known");
  if (settings.head.name !== "token")
    throw new InputError(`outside study: a ${settings.head.name} head has no tokens (known: head=token)`);
  const session = await openSession({ train, hidden, dev: [] }, settings);
  const scorer = await Scorer.create(session.task.model, session.learner.store, { runtime: runtimeOf(settings) });
  try {
    for await (const record of trainingLoop(session, startOfRun())) {
      if (record.kind !== "evaluation") continue;
      const values = await outsideValues(scorer, train, value);
      const isHidden = hiddenFlags(values, hidden);
      const mean = (wanted: boolean): number => meanOf(values.values.filter((_, i) => isHidden[i] === wanted));
      yield {
        epoch: record.epoch,
        loss: record.loss,
        outside: mean(false),
        hidden: mean(true),
        detection: detection(values, isHidden, shares),
      };
    }
  } finally {
    await scorer.dispose();
    await closeSession(session);
  }
}

/** Precision and recall of finding hidden tokens among those with the smallest values; 0 where there is none to find or to take. */
export function detection(
  values: OutsideValues,
  isHidden: readonly boolean[],
  shares: readonly number[] = detectionShares,
): DetectionPoint[] {
  const order = ascending(values);
  const found = new Uint32Array(order.length + 1);
  order.forEach((token, i) => {
    found[i + 1] = found[i]! + (isHidden[token] ? 1 : 0);
  });
  const all = found.at(-1)!;
  return shares.map((share) => {
    const taken = removedCount(share, order.length);
    return { share, precision: found[taken]! / Math.max(1, taken), recall: found[taken]! / Math.max(1, all) };
  });
}

function hiddenFlags({ sentences, tokens }: OutsideValues, hidden: readonly (readonly Entity[])[]): boolean[] {
  return Array.from(sentences, (sentence, i) =>
    hidden[sentence]!.some(({ start, end }) => start <= tokens[i]! && tokens[i]! < end),
  );
}

function meanOf(values: Float32Array): number {
  return values.reduce((total, value) => total + value, 0) / Math.max(1, values.length);
}
