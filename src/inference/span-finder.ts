import { predictionBatch } from "../models/batch.ts";
import type { Retrieval } from "../models/retrieval.ts";
import { type SpanGrid, spanGrid } from "../models/span-grid.ts";
import type { SpanModel } from "../models/span-model.ts";
import type { ParameterStore } from "../nn/index.ts";
import { type Data, Program, type RuntimeOptions } from "../tensor/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";
import { spanCount } from "../util/span-counts.ts";
import type { Candidate } from "./decode.ts";
import type { Finder } from "./finder.ts";

/** Places of the encoder, padding included, and spans that go through the model at once. */
const budget = { places: 1024, spans: 20_000 };

/** Finds the spans that a span model gives a type, with the weights of a store. */
export class SpanFinder implements Finder {
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
  ): Promise<SpanFinder> {
    const used = retrieval && retrieval.alpha > 0 ? retrieval : undefined;
    const program = await Program.compile({ logProbs: model.prediction(used?.mix) }, runtime);
    return new SpanFinder(model, store, program, used ? retrievalFeeds(model, used) : {});
  }

  size(sentence: Sentence): number {
    return this.model.encoder.size(sentence);
  }

  fits(rows: number, size: number, length: number): boolean {
    return rows * size <= budget.places && rows * spanCount(length, this.model.settings.maxWidth) <= budget.spans;
  }

  /** Log-probabilities (with retrieval, mixed scores) `[spans, labels]` of every span of the grid of each sentence. */
  async scores(sentences: readonly Sentence[]): Promise<{ grid: SpanGrid; logProbs: Float32Array }[]> {
    const { encoder, settings, types } = this.model;
    const items = sentences.map((sentence) => ({ sentence, grid: spanGrid(tokenCount(sentence), settings.maxWidth) }));
    const { batch, width } = predictionBatch(items, encoder);
    const { logProbs } = await this.program.run({ ...this.store.tensors(), ...this.constants, ...batch.feeds });
    const labels = types.length + 1;
    const data = logProbs!.data as Float32Array;
    return items.map(({ grid }, b) => {
      const start = b * width * labels;
      return { grid, logProbs: data.subarray(start, start + grid.size * labels) };
    });
  }

  async candidates(sentences: readonly Sentence[]): Promise<Candidate[][]> {
    const labels = this.model.types.length + 1;
    const scored = await this.scores(sentences);
    return scored.map(({ grid, logProbs }) => {
      const [starts, ends] = [grid.starts(), grid.ends()];
      const result: Candidate[] = [];
      for (let span = 0; span < grid.size; span++) {
        const label = bestLabel(logProbs, span * labels, labels);
        if (label === 0) continue;
        result.push({ start: starts[span]!, end: ends[span]!, label, score: logProbs[span * labels + label]! });
      }
      return result;
    });
  }

  async dispose(): Promise<void> {
    await this.program.dispose();
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
