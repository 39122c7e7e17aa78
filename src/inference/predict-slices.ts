import type { Document } from "../text/index.ts";
import type { Recogniser } from "./recogniser.ts";
import type { Tagging } from "./tagging.ts";

/** Tokens that the model is given at once: enough to fill its batches, little enough to see it get on. */
const sliceTokens = 8000;
/** Documents that wait at most: many have no tokens at all. */
const mostWaiting = 2000;

export interface SliceOptions {
  /** Is told after each slice how many tokens have been gone through. */
  readonly seen?: (tokens: number) => void;
  /**
   * For a source that somebody is still writing: when the next document takes longer than so many milliseconds, those
   * that are there are given to the model, so that their result need not wait.
   */
  readonly patience?: number | undefined;
}

/**
 * Documents with predicted entities, in order. The model is given slices: of a long document, a part at a time, and of a
 * long sentence as well.
 */
export async function* predictInSlices(
  recogniser: Pick<Recogniser, "begin" | "advance">,
  documents: AsyncIterable<Document>,
  { seen = () => {}, patience }: SliceOptions = {},
): AsyncGenerator<Document, void, undefined> {
  let waiting: { readonly document: Document; readonly tagging: Tagging }[] = [];
  let [finished, undecided] = [0, 0];

  const predict = async (): Promise<Document[]> => {
    await recogniser.advance(
      waiting.map(({ tagging }) => tagging),
      { tokens: sliceTokens },
    );
    const decided = waiting.reduce((sum, { tagging }) => sum + tagging.done, 0);
    undecided = waiting.reduce((sum, { tagging }) => sum + tagging.tokens, 0) - decided;
    seen(finished + decided);
    const first = waiting.findIndex(({ tagging }) => !tagging.isFinished);
    const ready = waiting.slice(0, first < 0 ? waiting.length : first);
    waiting = waiting.slice(ready.length);
    return ready.map(({ document, tagging }) => {
      finished += tagging.tokens;
      return { ...document, sentences: tagging.result() };
    });
  };

  const source = documents[Symbol.asyncIterator]();
  try {
    let next = source.next();
    for (;;) {
      if (patience !== undefined)
        while (waiting.length > 0 && (await isLate(next, patience))) for (const each of await predict()) yield each;
      const { value: document, done } = await next;
      if (done) break;
      const tagging = recogniser.begin(document.sentences);
      waiting.push({ document, tagging });
      undecided += tagging.tokens;
      next = source.next();
      // Where this ends early nobody asks for the next one any more.
      next.catch(() => {});
      while (undecided >= sliceTokens || waiting.length >= mostWaiting) for (const each of await predict()) yield each;
    }
    while (waiting.length > 0) for (const each of await predict()) yield each;
  } finally {
    await source.return?.();
  }
}

/** Whether a promise is not settled after so many milliseconds. */
async function isLate(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(true), milliseconds);
  });
  const settled = promise.then(
    () => false,
    () => false,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
