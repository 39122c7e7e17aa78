import type { Recogniser } from "../inference/index.ts";
import { type Document, type Sentence, tokenCount } from "../text/index.ts";

/** Tokens that the model is given at once: enough to fill its batches, little enough to see it get on. */
const sliceTokens = 8000;

/**
 * Documents with predicted entities, in order. A long document is given to the model in slices of whole sentences, and
 * `seen` is told after each how many tokens have been gone through.
 */
export async function* predictInSlices(
  recogniser: Pick<Recogniser, "sentences">,
  documents: AsyncIterable<Document>,
  seen: (tokens: number) => void,
): AsyncGenerator<Document, void, undefined> {
  let waiting: { document: Document; predicted: Sentence[] }[] = [];
  let slice: Sentence[] = [];
  let [sliced, done] = [0, 0];

  async function* predict(): AsyncGenerator<Document, void, undefined> {
    const predicted = await recogniser.sentences(slice);
    done += sliced;
    seen(done);
    [slice, sliced] = [[], 0];
    let at = 0;
    for (const each of waiting) {
      const missing = each.document.sentences.length - each.predicted.length;
      const found = predicted.slice(at, at + missing);
      each.predicted.push(...found);
      at += found.length;
    }
    const finished = waiting.filter(({ document, predicted }) => predicted.length === document.sentences.length);
    waiting = waiting.slice(finished.length);
    for (const { document, predicted: sentences } of finished) yield { ...document, sentences };
  }

  for await (const document of documents) {
    const item = { document, predicted: [] };
    waiting.push(item);
    for (const sentence of document.sentences) {
      slice.push(sentence);
      sliced += tokenCount(sentence);
      // Not `waiting` as a whole: of the last document only a part has been given yet.
      if (sliced >= sliceTokens) yield* predict();
    }
  }
  yield* predict();
}
