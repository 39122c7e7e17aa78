import { loadModel } from "../inference/index.ts";
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
  if (!model.vectors) throw new InputError(`span vectors: a ${model.head} head has no spans`, { file: directory });
  const program = await Program.compile({ states: model.vectors() }, runtime);
  const found: (Float32Array | undefined)[][] = [];
  try {
    for (let from = 0; from < chosen.length; from += groupSize) {
      const group = chosen.slice(from, from + groupSize);
      const sentences = group.map(({ sentence }) => sentence);
      await model.encoder.prepare?.(sentences, { runtime });
      const { feeds } = model.batch(sentences);
      const { states } = await program.run({ ...store.tensors(), ...feeds });
      const [, items, width] = states!.shape as [number, number, number];
      const data = states!.data as Float32Array;
      group.forEach(({ sentence, spans }, b) => {
        const places = placesOf(model.items(tokenCount(sentence)));
        found.push(
          spans.map(({ start, end }) => {
            const item = places.get(`${start} ${end}`);
            return item === undefined
              ? undefined
              : data.slice((b * items + item) * width, (b * items + item + 1) * width);
          }),
        );
      });
    }
  } finally {
    await program.dispose();
  }
  return found;
}

function placesOf(items: { starts(): Int32Array; ends(): Int32Array }): ReadonlyMap<string, number> {
  const ends = items.ends();
  return new Map(Array.from(items.starts(), (start, i) => [`${start} ${ends[i]}`, i]));
}
