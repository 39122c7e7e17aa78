import { itemVectors, loadModel } from "../inference/index.ts";
import type { RuntimeOptions } from "../tensor/index.ts";
import type { Sentence, Span } from "../text/index.ts";
import { InputError } from "../util/errors.ts";

/**
 * The hidden states of spans in a saved span model, for a look at what it tells apart: one vector for each span of each
 * sentence, nothing for a span that is wider than the model looks.
 */
export async function spanVectors(
  directory: string,
  chosen: readonly { readonly sentence: Sentence; readonly spans: readonly Span[] }[],
  runtime: RuntimeOptions = {},
): Promise<(Float32Array | undefined)[][]> {
  const loaded = await loadModel(directory);
  if (!loaded.model.vectors)
    throw new InputError(`span vectors: a ${loaded.model.head} head has no vectors`, { file: directory });
  const found: (Float32Array | undefined)[][] = [];
  const sentences = chosen.map(({ sentence }) => sentence);
  for await (const { items, width, data } of itemVectors(loaded, sentences, runtime)) {
    const places = placesOf(items);
    found.push(
      chosen[found.length]!.spans.map(({ start, end }) => {
        const item = places.get(`${start} ${end}`);
        return item === undefined ? undefined : data.slice(item * width, (item + 1) * width);
      }),
    );
  }
  return found;
}

function placesOf(items: { starts(): Int32Array; ends(): Int32Array }): ReadonlyMap<string, number> {
  const ends = items.ends();
  return new Map(Array.from(items.starts(), (start, i) => [`${start} ${ends[i]}`, i]));
}
