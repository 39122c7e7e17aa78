import { type ItemScores, type Model, type Retrieval, retrievalFeeds } from "../heads/index.ts";
import type { ParameterStore } from "../nn/index.ts";
import { type Data, Program, type RuntimeOptions } from "../tensor/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";
import { type LoadOptions, loadModel } from "./model-directory.ts";
import { cut, type Piece, pieceGroups } from "./pieces.ts";
import { wholeScores } from "./whole-scores.ts";

export interface ScorerOptions {
  readonly runtime?: RuntimeOptions | undefined;
  /** With any weight, the model's scores are mixed with what the centroids of the labels say. */
  readonly retrieval?: Retrieval | undefined;
}

/** Tokens that are read ahead before the model runs: enough to fill batches of like length, little enough to keep. */
export const readAhead = 20_000;

/** What a model says of a piece of a sentence. */
export interface ScoredPiece extends Piece {
  readonly scores: ItemScores;
}

/** What a model, with the weights of a store, says of every item of sentences. */
export class Scorer {
  readonly model: Model;
  readonly store: ParameterStore;
  private readonly program: Program;
  private readonly constants: Readonly<Record<string, Data>>;
  private readonly runtime: RuntimeOptions;

  private constructor(
    model: Model,
    store: ParameterStore,
    program: Program,
    constants: Readonly<Record<string, Data>>,
    runtime: RuntimeOptions,
  ) {
    this.runtime = runtime;
    this.model = model;
    this.store = store;
    this.program = program;
    this.constants = constants;
  }

  static async create(
    model: Model,
    store: ParameterStore,
    { runtime = {}, retrieval }: ScorerOptions = {},
  ): Promise<Scorer> {
    if (!retrieval || retrieval.alpha === 0 || !model.retrieval)
      return new Scorer(model, store, await Program.compile({ ...model.prediction() }, runtime), {}, runtime);
    const program = await Program.compile({ ...model.retrieval.prediction(retrieval.mix) }, runtime);
    return new Scorer(model, store, program, retrievalFeeds(retrieval, model.retrieval), runtime);
  }

  /** Opens a model directory. */
  static async load(
    directory: string,
    { runtime, ...options }: { readonly runtime?: RuntimeOptions } & LoadOptions = {},
  ): Promise<Scorer> {
    const { model, store, retrieval } = await loadModel(directory, options);
    return Scorer.create(model, store, { runtime, retrieval });
  }

  /** The names of an item's labels, "O" first. */
  get labels(): readonly string[] {
    return this.model.labels;
  }

  /** The items of every sentence with their scores, in order and in bounded memory. */
  async *scores(sentences: Iterable<Sentence>): AsyncGenerator<ItemScores> {
    let ahead: Sentence[] = [];
    let tokens = 0;
    for (const sentence of sentences) {
      ahead.push(sentence);
      tokens += tokenCount(sentence);
      if (tokens < readAhead) continue;
      yield* this.wholes(ahead);
      ahead = [];
      tokens = 0;
    }
    yield* this.wholes(ahead);
  }

  /** The pieces of sentences, in order, made when they are asked for. */
  cut(sentences: Iterable<Sentence>): Generator<Piece, void, undefined> {
    const { model } = this;
    return cut(sentences, (sentence) => model.size?.(sentence) ?? model.encoder.size(sentence));
  }

  /** The pieces of sentences with their scores, those of like size together. */
  pieces(sentences: readonly Sentence[]): AsyncGenerator<ScoredPiece> {
    return this.score([...this.cut(sentences)]);
  }

  /** Pieces with their scores, those of like size together. */
  async *score(pieces: readonly Piece[]): AsyncGenerator<ScoredPiece> {
    for await (const group of this.prepared(pieceGroups(pieces, (length) => this.model.items(length)))) {
      const scored = await this.run(group.map(({ window }) => window.sentence));
      for (const [i, piece] of group.entries()) yield { ...piece, scores: scored[i]! };
    }
  }

  async dispose(): Promise<void> {
    await this.program.dispose();
  }

  private async *wholes(sentences: readonly Sentence[]): AsyncGenerator<ItemScores> {
    const found = sentences.map((): ScoredPiece[] => []);
    for await (const piece of this.pieces(sentences)) found[piece.at]!.push(piece);
    for (const [i, pieces] of found.entries())
      yield wholeScores(this.model.items(tokenCount(sentences[i]!)), pieces, this.labels.length);
  }

  private async run(sentences: readonly Sentence[]): Promise<ItemScores[]> {
    const { feeds } = this.model.batch(sentences);
    const { logits, logProbs } = await this.program.run({ ...this.store.tensors(), ...this.constants, ...feeds });
    const [, width, labels] = logProbs!.shape as [number, number, number];
    return sentences.map((sentence, b) => {
      const items = this.model.items(tokenCount(sentence));
      const part = ({ data }: Data): Float32Array =>
        (data as Float32Array).subarray(b * width * labels, (b * width + items.size) * labels);
      return { items, logits: part(logits!), logProbs: part(logProbs!) };
    });
  }

  /** Groups whose frozen vectors are there, computed for many groups at a time. */
  private async *prepared(groups: Iterable<Piece[]>): AsyncGenerator<Piece[]> {
    const { encoder } = this.model;
    if (!encoder.prepare) {
      yield* groups;
      return;
    }
    let ahead: Piece[][] = [];
    let tokens = 0;
    const computed = async (): Promise<Piece[][]> => {
      const sentences = ahead.flat().map(({ window }) => window.sentence);
      await encoder.prepare!(sentences, { runtime: this.runtime });
      const result = ahead;
      ahead = [];
      tokens = 0;
      return result;
    };
    for (const group of groups) {
      ahead.push(group);
      tokens += group.reduce((sum, { window }) => sum + tokenCount(window.sentence), 0);
      if (tokens >= readAhead) yield* await computed();
    }
    yield* await computed();
  }
}
