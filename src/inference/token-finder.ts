import type { TokenModel } from "../models/token-model.ts";
import { type Chain, type ParameterStore, viterbi } from "../nn/index.ts";
import { Program, type RuntimeOptions } from "../tensor/index.ts";
import { entitiesOfTags, type Sentence, tokenCount } from "../text/index.ts";
import type { Candidate } from "./decode.ts";
import type { Finder } from "./finder.ts";

/** Places of the encoder, padding included, that go through the model at once. */
const budget = 1024;

/** Of every token of a sentence, row by row: the tags' scores, and their probabilities given the whole sentence. */
export interface TokenScores {
  readonly logits: Float32Array;
  readonly probabilities: Float32Array;
}

/** Finds the entities of the best legal tag sequence, with the weights of a store. */
export class TokenFinder implements Finder {
  /** A token has one tag. Only windows of one text can disagree, and the better one is right. */
  readonly overlap = "flat";
  private readonly model: TokenModel;
  private readonly store: ParameterStore;
  private readonly program: Program;

  private constructor(model: TokenModel, store: ParameterStore, program: Program) {
    this.model = model;
    this.store = store;
    this.program = program;
  }

  static async create(model: TokenModel, store: ParameterStore, runtime: RuntimeOptions = {}): Promise<TokenFinder> {
    return new TokenFinder(model, store, await Program.compile({ ...model.prediction() }, runtime));
  }

  size(sentence: Sentence): number {
    return this.model.encoder.size(sentence);
  }

  fits(rows: number, size: number): boolean {
    return rows * size <= budget;
  }

  async scores(sentences: readonly Sentence[]): Promise<TokenScores[]> {
    const { encoder, tagSet } = this.model;
    const { feeds } = encoder.batch(sentences);
    const { logits, probabilities } = await this.program.run({ ...this.store.tensors(), ...feeds });
    const row = logits!.shape[1]! * tagSet.size;
    return sentences.map((sentence, b) => {
      const part = (data: Float32Array): Float32Array =>
        data.subarray(b * row, b * row + tokenCount(sentence) * tagSet.size);
      return {
        logits: part(logits!.data as Float32Array),
        probabilities: part(probabilities!.data as Float32Array),
      };
    });
  }

  async candidates(sentences: readonly Sentence[]): Promise<Candidate[][]> {
    const chain = this.model.chain(this.store);
    const scored = await this.scores(sentences);
    return scored.map((scores) => this.entities(scores, chain));
  }

  async dispose(): Promise<void> {
    await this.program.dispose();
  }

  /** An entity is as probable as the least probable of its tags. */
  private entities({ logits, probabilities }: TokenScores, chain: Chain<ArrayLike<number>>): Candidate[] {
    const { tagSet, types } = this.model;
    const path = viterbi(logits, chain);
    const entities = entitiesOfTags(Array.from(path, (tag) => tagSet.tags[tag]!));
    return entities.map(({ start, end, type }) => {
      let least = 1;
      for (let token = start; token < end; token++)
        least = Math.min(least, probabilities[token * tagSet.size + path[token]!]!);
      return { start, end, label: types.indexOf(type) + 1, score: Math.log(least) };
    });
  }
}
