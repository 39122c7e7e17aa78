import type { ItemScores, Model, Retrieval } from "../../src/heads/index.ts";
import { Scorer } from "../../src/inference/index.ts";
import type { ParameterStore } from "../../src/nn/index.ts";
import type { Sentence } from "../../src/text/index.ts";

/** What a model says of all items of sentences. */
export async function scoresOf(
  model: Model,
  store: ParameterStore,
  sentences: readonly Sentence[],
  retrieval?: Retrieval,
): Promise<ItemScores[]> {
  const scorer = await Scorer.create(model, store, { retrieval });
  try {
    const found: ItemScores[] = [];
    for await (const scores of scorer.scores(sentences)) found.push(scores);
    return found;
  } finally {
    await scorer.dispose();
  }
}
