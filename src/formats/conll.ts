import type { Document } from "../text/document.ts";
import { tokenCount, tokenText } from "../text/document.ts";
import { schemeDetector } from "../text/tag-schemes.ts";
import { type Scheme, type Tag, tagsOfEntities } from "../text/tags.ts";
import { columnScanner, hasUnknownTag } from "./conll-columns.ts";
import { documentBuilder } from "./conll-documents.ts";
import type { FileFormat, ReadOptions, WriteOptions } from "./format.ts";
import * as limits from "./limits.ts";
import { lineBlocks } from "./lines.ts";
import type { Source } from "./source.ts";

/**
 * CoNLL columns: one token a line, its tag in the last column, a blank line after each sentence. Sentences before the
 * first `-DOCSTART-` line are documents of their own, so that reading streams; after it, each such line begins a document.
 */
export const conll: FileFormat = {
  name: "conll",
  title: "CoNLL columns",
  storage: "file",
  extensions: [".conll", ".bio", ".iob", ".iob2", ".bioes", ".bmes", ".bilou"],
  silence:
    "O is unknown unless the caller declares it negative; in a file with unknown tags (UNK, -, ?), O is asserted and those tokens are unknown",
  limits: [
    limits.ids,
    limits.spacedLabels,
    limits.unwritableTokens,
    limits.emptySentences,
    limits.spacing,
    limits.secondTypes,
    limits.overlaps,
    limits.scores,
    limits.provenance,
    limits.rejections,
    limits.unsure,
    limits.taggedCompleteness,
  ],
  recognises: ({ head }) => looksLikeColumns(head),
  read: (source, options) => source.rereading((again) => read(again, options)),
  write,
};

/** True when the first line that is not blank is a token and a tag, or begins a document. */
function looksLikeColumns(head: string): boolean {
  const line = head.split("\n").find((candidate) => candidate.trim() !== "") ?? "";
  const columns = line.trimEnd().split(line.includes("\t") ? "\t" : /[ \t]+/);
  if (columns[0] === "-DOCSTART-") return true;
  return columns.length > 1 && /^(O|UNK|-|\?|[BIMELSU]-.+)$/.test(columns.at(-1)!);
}

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  const { silence = "unknown", strict = false } = options;
  const builder = documentBuilder({
    file: source.name,
    asserted: silence === "negative" || (await someBlock(source, hasUnknownTag)),
    scheme: strict ? (options.scheme ?? (await detectScheme(source))) : undefined,
  });
  const scanner = columnScanner(source.name, builder);
  for await (const block of lineBlocks(source)) {
    scanner.scan(block);
    for (const document of builder.finished()) yield document;
  }
  builder.end();
  for (const document of builder.finished()) yield document;
}

async function someBlock(source: Source, test: (block: Buffer) => boolean): Promise<boolean> {
  for await (const block of lineBlocks(source)) if (test(block)) return true;
  return false;
}

async function detectScheme(source: Source): Promise<Scheme> {
  const detector = schemeDetector();
  let tags: Tag[] = [];
  const close = (): void => {
    detector.add(tags);
    tags = [];
  };
  const scanner = columnScanner(source.name, {
    token: (_bytes, _start, _end, tag) => void tags.push(tag),
    sentenceEnd: close,
    documentStart: close,
  });
  for await (const block of lineBlocks(source)) scanner.scan(block);
  close();
  return detector.scheme();
}

async function* write(
  documents: AsyncIterable<Document>,
  options: WriteOptions,
): AsyncGenerator<string, void, undefined> {
  const { scheme = "IOB2", silence = "unknown" } = options;
  let grouped = false;
  for await (const document of documents) {
    grouped ||= document.sentences.length !== 1;
    const lines = grouped ? ["-DOCSTART-\tO\n"] : [];
    for (const sentence of document.sentences) {
      const count = tokenCount(sentence);
      const isUnknown = silence === "negative" ? limits.outside(sentence.complete) : undefined;
      const tags = tagsOfEntities(count, sentence.entities, scheme, isUnknown);
      for (let i = 0; i < count; i++) lines.push(`${tokenText(sentence, i)}\t${tags[i]}`);
      lines.push("");
    }
    yield `${lines.join("\n")}\n`;
  }
}
