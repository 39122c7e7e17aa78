import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import type { Document, Entity, Span } from "../text/index.ts";
import { isBlank } from "../text/index.ts";
import { decodeBytes } from "../util/encoding.ts";
import { InputError, quote } from "../util/errors.ts";
import { readFileBytes } from "../util/regular-file.ts";
import type { FolderFormat, Limit, ReadOptions } from "./format.ts";
import * as limits from "./limits/index.ts";
import { checkUtf8, withoutMark } from "./lines.ts";
import { type Fail, failure } from "./rows.ts";
import { refuse, type Source } from "./source.ts";
import { characterSpans, type SpanReader, spanReader, textDocument } from "./text-records.ts";

const unit = "code-point";

/** A document without an id gets a file name that reads back as none. */
const untitled = /^untitled-\d+$/;

const fileNames: Limit = {
  what: "ids that cannot be the name of a file",
  minor: true,
  reduce(document, lose) {
    const { id } = document;
    if (id === undefined || (/^[^./\\\p{C}][^/\\\p{C}]{0,79}$/u.test(id) && !untitled.test(id))) return document;
    lose(() => quote(id));
    return { text: document.text, sentences: document.sentences };
  },
};

/**
 * brat standoff: a folder of `.txt` files with their `.ann` files; documents come in the order of their names. A span
 * in pieces with something between them cannot be an entity here: it is undecided, or an error in strict mode.
 */
export const brat: FolderFormat = {
  name: "brat",
  title: "brat standoff",
  storage: "folder",
  extensions: [".ann"],
  silence:
    "text without a label is unknown unless the caller declares it negative; a text without an .ann file is unknown always",
  limits: [
    fileNames,
    limits.loneSurrogates,
    limits.spacedLabels,
    limits.scores,
    limits.provenance,
    limits.rejections,
    limits.unsure,
    limits.tokens,
    limits.secondTypes,
    limits.silentCompleteness,
  ],
  recognises: () => false,
  recognisesFolder: (names) => names.some((name) => name.endsWith(".ann")),
  read,
  async *write(documents) {
    const used = new Set<string>();
    for await (const document of documents) {
      const name = document.id ?? `untitled-${String(used.size + 1).padStart(6, "0")}`;
      if (used.has(name.toLowerCase())) throw new InputError(`brat: two documents have the id ${quote(name)}`);
      used.add(name.toLowerCase());
      yield { name: `${name}.txt`, content: document.text };
      yield { name: `${name}.ann`, content: annotationLines(document) };
    }
  },
};

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  if (source.path === undefined) throw new InputError("brat: a folder cannot be read from standard input");
  for (const stem of await stems(source.path)) {
    const text =
      (await contentOf(`${stem}.txt`, options.encoding)) ??
      failure("brat", `${stem}.ann`)("there is no .txt file beside it");
    const annotations = await contentOf(`${stem}.ann`, options.encoding);
    const name = basename(stem);
    const { entities, unsure } = annotationsOf(annotations ?? "", text, `${stem}.ann`, options);
    const record = {
      id: untitled.test(name) ? undefined : name,
      text,
      entities,
      unsure,
      finished: annotations !== undefined,
    };
    yield textDocument(record, options, failure("brat", `${stem}.ann`));
  }
}

/** Paths of the documents of a folder, or of the one a file belongs to, without their endings. */
async function stems(path: string): Promise<string[]> {
  if ([".ann", ".txt"].includes(extname(path))) return [join(dirname(path), basename(path, extname(path)))];
  const names = await readdir(path).catch((error) => refuse(error, path));
  const found = names.filter((name) => /\.(ann|txt)$/.test(name)).map((name) => name.slice(0, -4));
  return [...new Set(found)].sort().map((name) => join(path, name));
}

async function contentOf(path: string, encoding: string | undefined): Promise<string | undefined> {
  if (!existsSync(path)) return undefined;
  const bytes = decodeBytes(await readFileBytes(path), encoding, path);
  checkUtf8(bytes, path, 1);
  return path.endsWith(".ann") ? withoutMark(bytes).toString("utf8") : bytes.toString("utf8");
}

/** Lines that say something of entities, by their first letter. */
const otherLines: Readonly<Record<string, string>> = {
  R: "relations",
  E: "events",
  A: "attributes",
  M: "attributes",
  N: "normalisations",
  "#": "notes",
  "*": "relations",
};

function annotationsOf(
  content: string,
  text: string,
  file: string,
  options: ReadOptions,
): { entities: Entity[]; unsure: Span[] } {
  const entities: Entity[] = [];
  const unsure: Span[] = [];
  let number = 0;
  const fail: Fail = (message) => failure("brat", file, number)(message);
  const reader = spanReader(text, unit, options, fail);
  for (const line of content.split("\n")) {
    number++;
    if (line.trim() === "") continue;
    const passed = otherLines[line.charAt(0)];
    if (passed !== undefined) {
      options.onNotice?.(`${passed} passed over`, quote(line));
      continue;
    }
    const found = /^T\S+\t(\S*) (\d+ \d+(?:;\d+ \d+)*)(?:\t(.*?))?\r?$/.exec(line);
    if (found === null) return fail(`expected an entity such as "T1<TAB>ORG 0 5<TAB>Japan", got ${quote(line)}`);
    const [, label, places, reference] = found;
    const pieces = piecesOf(places!, reader);
    checkReference(text, pieces, reference, fail);
    const [first, ...rest] = merged(text, pieces);
    if (label === "") fail("a label is empty");
    if (rest.length === 0) entities.push({ ...first!, type: label! });
    else if (options.strict) fail(`an entity must be in one piece, got ${quote(places)}`);
    else unsure.push({ start: first!.start, end: rest.at(-1)!.end });
  }
  return { entities, unsure };
}

function piecesOf(places: string, reader: SpanReader): Span[] {
  const pieces = places.split(";").map((place) => {
    const [start, end] = place.split(" ");
    return reader.span(Number(start), Number(end));
  });
  return pieces.sort((a, b) => a.start - b.start);
}

/** Pieces with nothing but white space between them are one: brat cuts spans at line breaks. */
function merged(text: string, pieces: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const piece of pieces) {
    const before = result.at(-1);
    if (before !== undefined && isBlank(text.slice(before.end, piece.start))) {
      result[result.length - 1] = { start: before.start, end: Math.max(before.end, piece.end) };
    } else result.push(piece);
  }
  return result;
}

/** The text that a line repeats tells whether its offsets count what we count. */
function checkReference(text: string, pieces: readonly Span[], reference: string | undefined, fail: Fail): void {
  if (reference === undefined) return;
  const covered = pieces.map(({ start, end }) => text.slice(start, end)).join(" ");
  const plain = (value: string): string => value.replaceAll(/\s+/g, " ").trim();
  if (plain(covered) !== plain(reference))
    fail(`the offsets cover ${quote(covered)}, but the line says ${quote(reference)}`);
}

function annotationLines(document: Document): string {
  const places = characterSpans(document, unit, (sentence) => sentence.entities);
  const covered = characterSpans(document, "utf-16", (sentence) => sentence.entities);
  const lines = places.map(({ start, end, type }, i) => {
    const reference = document.text.slice(covered[i]!.start, covered[i]!.end).replaceAll(/[\r\n]/g, " ");
    return `T${i + 1}\t${type} ${start} ${end}\t${reference}\n`;
  });
  return lines.join("");
}
