import { type Document, tokenCount } from "../text/index.ts";
import { interruptible } from "./interrupt.ts";
import { grouped, type Progress } from "./progress.ts";

/** What passed through a command. */
export interface CorpusSize {
  readonly documents: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly entities: number;
}

/** Documents on their way from a reader to a writer, counted. */
export interface WatchedDocuments {
  readonly documents: AsyncGenerator<Document, void, undefined>;
  size(): CorpusSize;
}

/** A count of documents that pass one by one. */
export interface SizeCounter {
  add(document: Document): void;
  size(): CorpusSize;
}

export function sizeCounter(): SizeCounter {
  const size = { documents: 0, sentences: 0, tokens: 0, entities: 0 };
  return {
    add({ sentences }) {
      size.documents++;
      size.sentences += sentences.length;
      for (const sentence of sentences) {
        size.tokens += tokenCount(sentence);
        size.entities += sentence.entities.length;
      }
    },
    size: () => ({ ...size }),
  };
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
