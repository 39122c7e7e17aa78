import { type CorpusSize, type Document, sizeCounter } from "../text/index.ts";
import { interruptible } from "./interrupt.ts";
import { grouped, type Progress } from "./progress.ts";

/** Documents on their way from a reader to a writer, counted. */
export interface WatchedDocuments {
  readonly documents: AsyncGenerator<Document, void, undefined>;
  size(): CorpusSize;
}

/** Lets documents pass: counts them, shows how many there were, and ends when the program has to stop. */
export function watch(source: AsyncIterable<Document>, progress: Progress, signal: AbortSignal): WatchedDocuments {
  const counter = sizeCounter();
  let documents = 0;
  async function* pass(): AsyncGenerator<Document, void, undefined> {
    try {
      for await (const document of interruptible(source, signal)) {
        counter.add(document);
        progress.update(++documents);
        yield document;
      }
    } finally {
      progress.finish();
    }
  }
  return { documents: pass(), size: counter.size };
}

/** `2 documents, 31 sentences, 542 tokens, 40 entities` */
export function describeSize({ documents, sentences, tokens, entities }: CorpusSize): string {
  return [
    plural(documents, "document"),
    plural(sentences, "sentence"),
    plural(tokens, "token"),
    plural(entities, "entity", "entities"),
  ].join(", ");
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
