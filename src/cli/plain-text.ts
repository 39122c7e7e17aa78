import { lineBlocks } from "../formats/lines.ts";
import { fileSource, streamSource } from "../formats/source.ts";
import type { Document } from "../text/document.ts";
import { tokenise } from "../text/tokenise.ts";

/** Reads text without annotations: every line that is not empty is a document. `-` is standard input. */
export async function* readPlainText(path: string): AsyncGenerator<Document, void, undefined> {
  const source = path === "-" ? streamSource(process.stdin, "<stdin>") : fileSource(path);
  for await (const { bytes } of lineBlocks(source)) {
    for (const line of bytes.toString("utf8").split("\n")) {
      const text = line.endsWith("\r") ? line.slice(0, -1) : line;
      if (text.trim() !== "") yield tokenise(text);
    }
  }
}
