import type { Entity, Sentence } from "../text/index.ts";
import { isComplete, spanIndex, stateOf } from "../text/index.ts";
import type { SentencePair } from "./pairs.ts";
import { ratio } from "./scores.ts";

/**
 * What the gold says of a prediction.
 * - `correct`: an annotated entity.
 * - `negative`: on a span that is known to be no entity (or none of this type).
 * - `conflicting`: it cannot stand beside an annotated entity: same span, other type, or another span that overlaps.
 * - `unsure`: on a span that an annotator left undecided.
 * - `unknown`: nobody has said anything about it, so it may well be right.
 */
export type Judgement = "correct" | "negative" | "conflicting" | "unsure" | "unknown";

/** How far the gold can be trusted to call a prediction wrong. */
export interface GoldReport {
  /** Every sentence is declared complete, so precision and F1 mean what they usually mean. */
  readonly complete: boolean;
  readonly sentences: number;
  readonly completeSentences: number;
  /** The share of annotated entities that were found; says nothing about entities nobody annotated. */
  readonly recall: number;
  /** How many predictions fall on spans of which nothing is known. */
  readonly unknownPredictions: number;
  readonly predictions: Readonly<Record<Judgement, number>>;
  /** Precision if every undecided prediction is wrong, over decided ones only, and if every undecided one is right. */
  readonly precision: { readonly lowest: number; readonly decided: number; readonly highest: number };
}

export interface JudgeOptions {
  /** Entities may overlap, so that overlapping an annotated one is no conflict. */
  readonly nested?: boolean;
}

/** What is known of one prediction. */
export function judge(gold: Sentence, prediction: Entity, { nested = false }: JudgeOptions = {}): Judgement {
  const state = stateOf(gold, prediction, prediction.type);
  if (state === "entity") return "correct";
  if (spanIndex(gold.entities).at(prediction).length > 0) return "conflicting";
  if (state !== "unknown" || nested) return state;
  return spanIndex(gold.entities).touches(prediction) ? "conflicting" : "unknown";
}

/** Adds up sentences one at a time. */
export function goldTally(options: JudgeOptions = {}): { add(pair: SentencePair): void; report(): GoldReport } {
  const predictions = { correct: 0, negative: 0, conflicting: 0, unsure: 0, unknown: 0 };
  let annotated = 0;
  let sentences = 0;
  let completeSentences = 0;
  return {
    add({ gold, predicted }) {
      sentences++;
      if (isComplete(gold)) completeSentences++;
      annotated += gold.entities.length;
      for (const entity of predicted.entities) predictions[judge(gold, entity, options)]++;
    },
    report() {
      const { correct, negative, conflicting, unsure, unknown } = predictions;
      const decided = correct + negative + conflicting;
      const all = decided + unsure + unknown;
      return {
        complete: completeSentences === sentences,
        sentences,
        completeSentences,
        recall: ratio(correct, annotated),
        unknownPredictions: unknown,
        predictions: { ...predictions },
        precision: {
          lowest: ratio(correct, all),
          decided: ratio(correct, decided),
          highest: ratio(correct + unsure + unknown, all),
        },
      };
    },
  };
}
