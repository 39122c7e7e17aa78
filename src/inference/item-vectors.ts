import type { Items } from "../heads/index.ts";
import { Program, type RuntimeOptions } from "../tensor/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";
import type { LoadedModel } from "./model-directory.ts";

/** The hidden states of the items of a sentence: `[items, width]`, row by row. */
export interface ItemVectors {
  readonly items: Items;
  readonly width: number;
  readonly data: Float32Array;
}

/** Sentences that go through the model at once. */
const groupSize = 8;

/** The hidden states that a model has of the items of each sentence, in order; nothing where its head has none. */
export async function* itemVectors(
  { model, store }: Pick<LoadedModel, "model" | "store">,
  sentences: readonly Sentence[],
  runtime: RuntimeOptions = {},
): AsyncGenerator<ItemVectors> {
  if (!model.vectors) return;
  const program = await Program.compile({ states: model.vectors() }, runtime);
  try {
    for (let from = 0; from < sentences.length; from += groupSize) {
      const group = sentences.slice(from, from + groupSize);
      await model.encoder.prepare?.(group, { runtime });
      const { states } = await program.run({ ...store.tensors(), ...model.batch(group).feeds });
      const [, rows, width] = states!.shape as [number, number, number];
      const data = states!.data as Float32Array;
      for (const [b, sentence] of group.entries()) {
        const items = model.items(tokenCount(sentence));
        const start = b * rows * width;
        yield { items, width, data: data.slice(start, start + items.size * width) };
      }
    }
  } finally {
    await program.dispose();
  }
}
