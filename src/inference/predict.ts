import { biased, type Candidate, type ItemScores, type Model } from "../heads/index.ts";
import type { ParameterStore } from "../nn/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";
import { type Decoding, plainDecoding } from "./decode-settings.ts";
import type { Piece } from "./pieces.ts";
import { Scorer, type ScorerOptions } from "./scorer.ts";
import { nextParts, Tagging, type TaggingPart } from "./tagging.ts";

/** A model made ready for prediction with the weights of a store. */
export class Predictor {
  /** The types that the model knows. */
  readonly types: readonly string[];
  private readonly scorer: Scorer;
  private readonly store: ParameterStore;

  private constructor(scorer: Scorer, store: ParameterStore) {
    this.types = scorer.model.types;
    this.scorer = scorer;
    this.store = store;
  }

  static async create(model: Model, store: ParameterStore, options: ScorerOptions = {}): Promise<Predictor> {
    return new Predictor(await Scorer.create(model, store, options), store);
  }

  /** The sentences with predicted entities in place of what was known about them. */
  async predict(sentences: readonly Sentence[], decoding: Partial<Decoding> = {}): Promise<Sentence[]> {
    const [predicted] = await this.predictEach(sentences, [{ ...plainDecoding, ...decoding }]);
    return predicted!;
  }

  /** The same for several ways to decode, all from one pass of the model. */
  async predictEach(sentences: readonly Sentence[], decodings: readonly Decoding[]): Promise<Sentence[][]> {
    const taggings = decodings.map((decoding) => this.begin(sentences, decoding));
    const [pieces = []] = taggings.map((tagging) => tagging.take(Number.POSITIVE_INFINITY));
    const find = this.finder();
    for await (const { scores, ...piece } of this.scorer.score(pieces)) {
      for (const tagging of taggings) tagging.accept(piece, find(scores, tagging));
    }
    return taggings.map((tagging) => tagging.result());
  }

  /** One pass of the model whose scores are kept, to be decoded in as many ways as one likes. */
  async scored(sentences: readonly Sentence[]): Promise<(decoding: Decoding) => Sentence[]> {
    const pieces = [...this.scorer.cut(sentences)];
    const kept: { readonly piece: Piece; readonly scores: ItemScores }[] = [];
    for await (const { scores, ...piece } of this.scorer.score(pieces)) kept.push({ piece, scores });
    const find = this.finder();
    return (decoding) => {
      const tagging = new Tagging(this.scorer.model, sentences, pieces.values(), decoding);
      tagging.take(Number.POSITIVE_INFINITY);
      for (const { piece, scores } of kept) tagging.accept(piece, find(scores, tagging));
      return tagging.result();
    };
  }

  /** Sentences to be given to the model a part at a time. */
  begin(sentences: readonly Sentence[], decoding: Decoding = plainDecoding): Tagging {
    return new Tagging(this.scorer.model, sentences, this.scorer.cut(sentences), decoding);
  }

  /** Gives the model about so many tokens of what is left of some taggings, in their order; the number it was. */
  async advance(
    taggings: readonly Tagging[],
    { tokens, each = tokens }: { readonly tokens: number; readonly each?: number },
  ): Promise<number> {
    const parts = nextParts(taggings, tokens, each);
    const { model } = this.scorer;
    if (model.lookUp)
      for (const { tagging, piece } of parts) tagging.accept(piece, model.lookUp(piece.window.sentence));
    else await this.compute(parts);
    return parts.reduce((sum, { piece }) => sum + tokenCount(piece.window.sentence), 0);
  }

  async dispose(): Promise<void> {
    await this.scorer.dispose();
  }

  private async compute(parts: readonly TaggingPart[]): Promise<void> {
    const numbered = parts.map(({ piece }, at) => ({ ...piece, at }));
    const find = this.finder();
    for await (const { at, scores } of this.scorer.score(numbered)) {
      const { tagging, piece } = parts[at]!;
      tagging.accept(piece, find(scores, tagging));
    }
  }

  /** Finds the possible entities of sentences as a tagging wants them, with the weights as they are now. */
  private finder(): (scores: ItemScores, tagging: Tagging) => Candidate[] {
    const find = this.scorer.model.candidates(this.store);
    return (scores, { biases }) => find(biases ? biased(scores, biases) : scores);
  }
}
