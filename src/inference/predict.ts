import { z } from "zod";
import { type Candidate, type ItemScores, type Model, shift, type Window } from "../heads/index.ts";
import type { ParameterStore } from "../nn/index.ts";
import { annotate, type Entity, type Sentence } from "../text/index.ts";
import { resolve } from "./decode.ts";
import { Scorer, type ScorerOptions } from "./scorer.ts";
import { labelBiases, type Shift, shiftSchema, withBiases } from "./shift.ts";

export const decodeSettings = z.strictObject({
  /** Which predicted entities may overlap: none (`flat`), one inside the other (`nested`), or any (`all`). */
  overlap: z.enum(["flat", "nested", "all"]).default("flat"),
  /** Entities below this probability are left out. */
  minScore: z.number().min(0).max(1).default(0),
  /**
   * Added to the score of O. `auto` chooses one number on dev, or without dev by how much is estimated to be missing;
   * `by-type` chooses one for each type on dev.
   */
  shift: z.union([z.enum(["auto", "by-type"]), shiftSchema]).default(0),
});
export type DecodeSettings = z.output<typeof decodeSettings>;

/** How entities follow from scores, with nothing left to choose. */
export interface Decoding extends Omit<DecodeSettings, "shift"> {
  readonly shift: Shift;
}

const asIs: Decoding = { overlap: "flat", minScore: 0, shift: 0 };

/** A model made ready for prediction with the weights of a store. */
export class Predictor {
  private readonly scorer: Scorer;
  private readonly store: ParameterStore;

  private constructor(scorer: Scorer, store: ParameterStore) {
    this.scorer = scorer;
    this.store = store;
  }

  static async create(model: Model, store: ParameterStore, options: ScorerOptions = {}): Promise<Predictor> {
    return new Predictor(await Scorer.create(model, store, options), store);
  }

  /** The sentences with predicted entities in place of what was known about them. */
  async predict(sentences: readonly Sentence[], decoding: Partial<Decoding> = {}): Promise<Sentence[]> {
    const [predicted] = await this.predictEach(sentences, [{ ...asIs, ...decoding }]);
    return predicted!;
  }

  /** The same for several ways to decode, all from one pass of the model. */
  async predictEach(sentences: readonly Sentence[], decodings: readonly Decoding[]): Promise<Sentence[][]> {
    const { model } = this.scorer;
    const biases = decodings.map(({ shift: by }) => labelBiases(model, by));
    const found = decodings.map(() => sentences.map((): Candidate[] => []));
    for await (const { at, window, scores } of this.scorer.pieces(sentences)) {
      for (const [i, bias] of biases.entries()) {
        const candidates = model.candidates(bias ? withBiases(scores, bias) : scores, this.store);
        found[i]![at]!.push(...owned(candidates, window));
      }
    }
    return decodings.map(({ overlap, minScore }, d) =>
      sentences.map((sentence, i) => {
        const entities = resolve(found[d]![i]!, model.overlap ?? overlap).map((each) => entityOf(each, model));
        const kept = entities.filter(({ score }) => score! >= minScore);
        return annotate(sentence, { entities: kept, rejected: [], unsure: [], complete: [] });
      }),
    );
  }

  async dispose(): Promise<void> {
    await this.scorer.dispose();
  }
}

/** The entities that follow from the scores of a whole sentence. */
export function entitiesOf(
  scores: ItemScores,
  { model, store }: { readonly model: Model; readonly store: ParameterStore },
  { overlap, minScore, shift: by }: Decoding,
): Entity[] {
  const biases = labelBiases(model, by);
  const candidates = model.candidates(biases ? withBiases(scores, biases) : scores, store);
  const entities = resolve(candidates, model.overlap ?? overlap).map((each) => entityOf(each, model));
  return entities.filter(({ score }) => score! >= minScore);
}

/** The candidates that a window has to decide, with tokens numbered in the whole text. */
function owned(candidates: readonly Candidate[], { offset, ownStart, ownEnd }: Window): Candidate[] {
  const own = candidates.filter(({ start }) => start >= ownStart && start < ownEnd);
  return own.map((candidate) => shift(candidate, offset));
}

function entityOf({ start, end, label, score }: Candidate, { types }: Model): Entity {
  return { start, end, type: types[label - 1]!, score: Math.exp(score) };
}
