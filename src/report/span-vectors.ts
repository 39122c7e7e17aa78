import { predictionBatch } from "../models/batch.ts";
import { loadModel } from "../models/directory.ts";
import { spanGrid } from "../models/span-grid.ts";
import { Program, type RuntimeOptions } from "../tensor/index.ts";
import { type Sentence, type Span, tokenCount } from "../text/index.ts";
import { InputError } from "../util/errors.ts";

/** Sentences that go through the model at once. */
const groupSize = 8;

/**
 * The hidden states of spans in a saved span model, for a look at what it tells apart: one vector for each span of each
 * sentence, nothing for a span that is wider than the model looks.
 */
export async function spanVectors(
  directory: string,
  chosen: readonly { readonly sentence: Sentence; readonly spans: readonly Span[] }[],
  runtime: RuntimeOptions = {},
): Promise<(Float32Array | undefined)[][]> {
  const { model, store } = await loadModel(directory);
  if (model.kind !== "span")
    throw new InputError(`span vectors: a ${model.kind} model has no spans`, { file: directory });
  const { hidden, maxWidth } = model.settings;
  const program = await Program.compile({ states: model.states() }, runtime);
  const found: (Float32Array | undefined)[][] = [];
  try {
    for (let from = 0; from < chosen.length; from += groupSize) {
      const items = chosen
        .slice(from, from + groupSize)
        .map(({ sentence, spans }) => ({ sentence, spans, grid: spanGrid(tokenCount(sentence), maxWidth) }));
      const { batch, width } = predictionBatch(items, model.encoder);
      const { states } = await program.run({ ...store.tensors(), ...batch.feeds });
      const data = states!.data as Float32Array;
      items.forEach(({ grid, spans }, b) => {
        const vector = (index: number): Float32Array =>
          data.slice((b * width + index) * hidden, (b * width + index + 1) * hidden);
        found.push(spans.map((span) => (grid.index(span) < 0 ? undefined : vector(grid.index(span)))));
      });
    }
  } finally {
    await program.dispose();
  }
  return found;
}
