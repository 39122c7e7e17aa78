import { text } from "../../formats/index.ts";
import type { Document } from "../../text/index.ts";

/** Documents to be labelled: of plain text, lines without a word in them are none. */
export function worthLabelling(documents: AsyncIterable<Document>, format: string): AsyncIterable<Document> {
  return format === text.name ? withoutBlank(documents) : documents;
}

async function* withoutBlank(documents: AsyncIterable<Document>): AsyncGenerator<Document, void, undefined> {
  for await (const document of documents) if (document.sentences.length > 0) yield document;
}
