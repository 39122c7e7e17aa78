import { z } from "zod";
import { type Batch, predictionBatch } from "../models/batch.ts";
import type { Retrieval } from "../models/retrieval.ts";
import { gridSize, type SpanGrid, spanGrid } from "../models/span-grid.ts";
import type { SpanModel } from "../models/span-model.ts";
import { shift, type Window, windows } from "../models/windows.ts";
import type { ParameterStore } from "../nn/index.ts";
import { type Data, Program, type RuntimeOptions } from "../tensor/index.ts";
import { annotate, type Entity, type Sentence, tokenCount } from "../text/index.ts";
import { type Candidate, resolve } from "./decode.ts";

export const decodeSettings = z.strictObject({
  overlap: z.enum(["flat", "nested", "all"]).default("flat"),
  /** Entities below this probability are left out. */
  minScore: z.number().min(0).max(1).default(0),
});
export type DecodeSettings = z.output<typeof decodeSettings>;

/** Places of the encoder, padding included, and spans that go through the model at once. */
const budget = { places: 1024, spans: 20_000 };

/** A span model made ready for prediction with the weights of a store. */
export class Predictor {
  private readonly model: SpanModel;
  private readonly store: ParameterStore;
  private readonly program: Program;
  private readonly constants: Readonly<Record<string, Data>>;

  private constructor(
    model: SpanModel,
    store: ParameterStore,
    program: Program,
    constants: Readonly<Record<string, Data>>,
  ) {
    this.model = model;
    this.store = store;
    this.program = program;
    this.constants = constants;
  }

  /** With retrieval of any weight, scores are mixed with what the centroids of the labels say. */
  static async create(
    model: SpanModel,
    store: ParameterStore,
    runtime: RuntimeOptions = {},
    retrieval?: Retrieval,
  ): Promise<Predictor> {
    const used = retrieval && retrieval.alpha > 0 ? retrieval : undefined;
    const program = await Program.compile({ logProbs: model.prediction(used?.mix) }, runtime);
    return new Predictor(model, store, program, used ? retrievalFeeds(model, used) : {});
  }

  /** The sentences with predicted entities in place of what was known about them. */
  async predict(
    sentences: readonly Sentence[],
    options: DecodeSettings = decodeSettings.parse({}),
  ): Promise<Sentence[]> {
    const found = sentences.map((): Candidate[] => []);
    const { encoder, settings } = this.model;
    const pieces = sentences.flatMap((sentence, at) =>
      tokenCount(sentence) > 0
        ? windows(sentence).map((window) => ({ at, window, size: encoder.size(window.sentence) }))
        : [],
    );
    pieces.sort((a, b) => a.size - b.size);
    for (const group of groups(pieces, settings.maxWidth)) {
      const results = await this.candidates(group.map(({ window }) => window));
      group.forEach(({ at }, i) => {
        found[at]!.push(...results[i]!);
      });
    }
    return sentences.map((sentence, i) => {
      const entities = resolve(found[i]!, options.overlap).map((each) => this.entity(each));
      const kept = entities.filter(({ score }) => score! >= options.minScore);
      return annotate(sentence, { entities: kept, rejected: [], unsure: [], complete: [] });
    });
  }

  async dispose(): Promise<void> {
    await this.program.dispose();
  }

  /** Log-probabilities (with retrieval, mixed scores) `[spans, labels]` of every span of the grid of each sentence. */
  async scores(sentences: readonly Sentence[]): Promise<{ grid: SpanGrid; logProbs: Float32Array }[]> {
    const items = sentences.map((sentence) => ({
      sentence,
      grid: spanGrid(tokenCount(sentence), this.model.settings.maxWidth),
    }));
    const { batch, width } = predictionBatch(items, this.model.encoder);
    const logProbs = await this.run(batch);
    const row = width * (this.model.types.length + 1);
    return items.map(({ grid }, b) => ({
      grid,
      logProbs: logProbs.subarray(b * row, b * row + grid.size * (this.model.types.length + 1)),
    }));
  }

  private async run({ feeds }: Batch): Promise<Float32Array> {
    const { logProbs } = await this.program.run({ ...this.store.tensors(), ...this.constants, ...feeds });
    return logProbs!.data as Float32Array;
  }

  private async candidates(pieces: readonly Window[]): Promise<Candidate[][]> {
    const labels = this.model.types.length + 1;
    const scored = await this.scores(pieces.map(({ sentence }) => sentence));
    return scored.map(({ grid, logProbs }, i) => {
      const { offset, ownStart, ownEnd } = pieces[i]!;
      const [starts, ends] = [grid.starts(), grid.ends()];
      const result: Candidate[] = [];
      for (let span = 0; span < grid.size; span++) {
        const start = starts[span]!;
        if (start < ownStart || start >= ownEnd) continue;
        const label = bestLabel(logProbs, span * labels, labels);
        if (label > 0)
          result.push(shift({ start, end: ends[span]!, label, score: logProbs[span * labels + label]! }, offset));
      }
      return result;
    });
  }

  private entity({ start, end, label, score }: Candidate): Entity {
    return { start, end, type: this.model.types[label - 1]!, score: Math.exp(score) };
  }
}

function retrievalFeeds({ types, settings }: SpanModel, { centroids, alpha }: Retrieval): Record<string, Data> {
  return {
    "retrieval.centroids": { data: centroids, shape: [types.length + 1, settings.hidden] },
    "retrieval.alpha": { data: Float32Array.of(alpha), shape: [] },
  };
}

function bestLabel(scores: Float32Array, from: number, labels: number): number {
  let best = 0;
  for (let label = 1; label < labels; label++) if (scores[from + label]! > scores[from + best]!) best = label;
  return best;
}

interface Piece {
  readonly window: Window;
  readonly size: number;
}

/** Cuts pieces that are sorted by size into groups that keep the budgets. */
function* groups<P extends Piece>(pieces: readonly P[], maxWidth: number): Generator<P[]> {
  let group: P[] = [];
  let longest = 0;
  for (const piece of pieces) {
    const length = tokenCount(piece.window.sentence);
    const rows = group.length + 1;
    const spans = rows * gridSize(Math.max(longest, length), maxWidth);
    if (group.length > 0 && (rows * piece.size > budget.places || spans > budget.spans)) {
      yield group;
      group = [];
      longest = 0;
    }
    group.push(piece);
    longest = Math.max(longest, length);
  }
  if (group.length > 0) yield group;
}
