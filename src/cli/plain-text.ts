import { createReadStream } from "node:fs";
import { readLines } from "../lexicon/index.ts";
import type { Document } from "../text/document.ts";
import { tokenise } from "../text/tokenise.ts";

/** Reads text without annotations: every line that is not empty is a document. `-` is standard input. */
export async function* readPlainText(path: string): AsyncGenerator<Document, void, undefined> {
  const chunks = path === "-" ? process.stdin : createReadStream(path, { highWaterMark: 1 << 18 });
  for await (const { texts } of readLines(chunks, path === "-" ? "<stdin>" : path)) {
    for (const text of texts) if (text.trim() !== "") yield tokenise(text);
  }
}
