import { type Document, tokenCount } from "./document.ts";

/** How much text there is, and how many entities are labelled in it. */
export interface CorpusSize {
  readonly documents: number;
  readonly sentences: number;
  readonly tokens: number;
  readonly entities: number;
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
