import type { Scheme, Tag } from "../text/index.ts";
import { type Document, schemeDetector, tokenText } from "../text/index.ts";
import { columnScanner, hasUnknownTag } from "./conll-columns.ts";
import { documentBuilder } from "./conll-documents.ts";
import type { FileFormat, ReadOptions, WriteOptions } from "./format.ts";
import * as limits from "./limits/index.ts";
import { lineBlocks } from "./lines.ts";
import type { Source } from "./source.ts";
import { readTagged, tagsOfSentence } from "./tagging.ts";

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
    limits.loneSurrogates,
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
  recognises: ({ head, keys = new Set() }) => keys.size === 0 && looksLikeColumns(head),
  read: (source, options) => readTagged(source, options, read),
  write,
};

/** Lines that are looked at where columns are not set apart by tabs. */
const sampledLines = 20;

/**
 * True when a file begins with a document line or with a token and a tag. Words with spaces between them are columns
 * only when every line has as many and ends in a tag, and not all of these are signs that may end a sentence.
 */
function looksLikeColumns(head: string): boolean {
  const lines = head.split("\n").filter((line) => line.trim() !== "");
  const first = lines[0] ?? "";
  if (/^-DOCSTART-(?=\s|$)/.test(first)) return true;
  if (first.includes("\t")) return isTag(first.trimEnd().split("\t").slice(1).at(-1));
  // The last line may be cut off.
  const rows = lines
    .slice(0, Math.max(1, Math.min(sampledLines, lines.length - 1)))
    .map((line) => line.trim().split(/ +/));
  return (
    rows.every((row) => row.length === rows[0]!.length && isTag(row.slice(1).at(-1))) &&
    rows.some((row) => !/^[-?]$/.test(row.at(-1)!))
  );
}

function isTag(word: string | undefined): boolean {
  return word !== undefined && /^(O|UNK|-|\?|[BIMELSU]-.+)$/.test(word);
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
  let grouped = false;
  for await (const document of documents) {
    grouped ||= document.sentences.length !== 1;
    const lines = grouped ? ["-DOCSTART-\tO\n"] : [];
    for (const sentence of document.sentences) {
      for (const [i, tag] of tagsOfSentence(sentence, options).entries())
        lines.push(`${tokenText(sentence, i)}\t${tag}`);
      lines.push("");
    }
    yield `${lines.join("\n")}\n`;
  }
}
