import { annotate, type Document, surface, tokenise } from "../text/index.ts";
import { quote } from "../util/errors.ts";
import type { FileFormat, Limit, ReadOptions } from "./format.ts";
import * as limits from "./limits/index.ts";
import { checkUtf8, lineBlocks } from "./lines.ts";
import { failure } from "./rows.ts";
import type { Source } from "./source.ts";
import { textDocument } from "./text-records.ts";

const entities: Limit = {
  what: "entities",
  reduce(document, lose) {
    if (document.sentences.every((sentence) => sentence.entities.length === 0)) return document;
    const sentences = document.sentences.map((sentence) => {
      for (const entity of sentence.entities) lose(() => `${entity.type} ${quote(surface(sentence, entity))}`);
      return annotate(sentence, { entities: [] });
    });
    return { ...document, sentences };
  },
};

/** Each line becomes a document; what would read as the end of a line, or as a byte-order mark, falls away. */
const lineBreaks: Limit = {
  what: "line breaks within documents",
  reduce(document, lose) {
    const lines = document.text.split("\n").map(readableLine);
    if (lines.length === 1 && lines[0] === document.text) return document;
    lose(() => quote(document.text));
    const finished = limits.isFinished(document);
    return lines.map((line) => tokenise(line, finished ? { complete: [{ start: 0, end: line.length }] } : {}));
  },
};

/** A line as it is read again: without byte-order marks before it and carriage returns behind it. */
function readableLine(line: string): string {
  let [start, end] = [0, line.length];
  while (line[start] === "\ufeff") start++;
  while (end > start && line[end - 1] === "\r") end--;
  return line.slice(start, end);
}

/**
 * Plain text: every line is a document, empty ones too, so that what is written line by line stands beside what was
 * read. Its beginning may look like anything: a `.txt` file is taken for text when it looks like no other format.
 */
export const text: FileFormat = {
  name: "text",
  title: "plain text, a document a line",
  storage: "file",
  cut: "line",
  extensions: [],
  silence: "there are no labels: all text is unknown unless the caller declares it free of entities",
  limits: [
    limits.ids,
    limits.loneSurrogates,
    entities,
    limits.rejections,
    limits.unsure,
    limits.tokens,
    limits.silentCompleteness,
    lineBreaks,
  ],
  recognises: ({ extension, keys }) => extension === ".txt" && !(keys !== undefined && keys.size > 0),
  read,
  async *write(documents) {
    for await (const document of documents) yield `${document.text}\n`;
  },
};

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  let line = 1;
  for await (const block of lineBlocks(source)) {
    checkUtf8(block, source.name, line);
    const lines = block.toString("utf8").split("\n");
    if (lines.at(-1) === "") lines.pop();
    for (const each of lines) {
      const record = { text: each.endsWith("\r") ? each.slice(0, -1) : each, finished: true };
      yield textDocument(record, options, failure("text", source.name, line++));
    }
  }
}
