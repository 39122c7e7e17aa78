import { z } from "zod";
import type { Candidate, Model } from "../heads/index.ts";
import type { ParameterStore } from "../nn/index.ts";
import { annotate, type Sentence } from "../text/index.ts";
import { entityOf, owned, resolve } from "./decode.ts";
import { Scorer, type ScorerOptions } from "./scorer.ts";

export const decodeSettings = z.strictObject({
  overlap: z.enum(["flat", "nested", "all"]).default("flat"),
  /** Entities below this probability are left out. */
  minScore: z.number().min(0).max(1).default(0),
});
export type DecodeSettings = z.output<typeof decodeSettings>;

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
  async predict(
    sentences: readonly Sentence[],
    { overlap, minScore }: DecodeSettings = decodeSettings.parse({}),
  ): Promise<Sentence[]> {
    const { model } = this.scorer;
    const found = sentences.map((): Candidate[] => []);
    for await (const { at, window, scores } of this.scorer.pieces(sentences))
      found[at]!.push(...owned(model.candidates(scores, this.store), window));
    return sentences.map((sentence, i) => {
      const entities = resolve(found[i]!, model.overlap ?? overlap).map((each) => entityOf(each, model.types));
      const kept = entities.filter(({ score }) => score! >= minScore);
      return annotate(sentence, { entities: kept, rejected: [], unsure: [], complete: [] });
    });
  }

  async dispose(): Promise<void> {
    await this.scorer.dispose();
  }
}
