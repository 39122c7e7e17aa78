import { createReadStream } from "node:fs";
import { basename, extname } from "node:path";
import { decodeChunks } from "../util/encoding.ts";
import { InputError, quote } from "../util/errors.ts";
import { type Columns, cellsOf, headOf, type LinePlace, rowReader, separatorOf } from "./columns.ts";
import { type Lines, readLines } from "./lines.ts";
import type { Entry } from "./matcher.ts";
import { readPattern } from "./pattern.ts";

export interface DictionaryOptions {
  /** The type of every entry, where the lines name none; the file's name without its ending when missing. */
  readonly type?: string | undefined;
  /** True when the entries have no type: they say "maybe an entity". */
  readonly untyped?: boolean | undefined;
  /** What provenance calls the dictionary; default: the file's name. */
  readonly name?: string | undefined;
  /** The order of the columns where lines have two and no head names them. */
  readonly columns?: "surface-type" | "type-surface" | undefined;
  /** Accept patterns that ask for any case, because the matcher folds case. */
  readonly anyCase?: boolean | undefined;
  /** How the file is encoded, by a name of the Encoding Standard; default UTF-8, or what its mark says. */
  readonly encoding?: string | undefined;
}

/**
 * Reads a dictionary: one surface a line, or columns with tabs or commas between them and perhaps a head that names them,
 * or JSON lines with `label` and `pattern`. The ending `.tsv`, `.csv` or `.jsonl`, or else the first line, decides which.
 * Empty lines count for nothing.
 */
export async function readDictionary(path: string, options: DictionaryOptions = {}): Promise<Entry[]> {
  const entries: Entry[] = [];
  await eachEntry(path, options, (entry) => entries.push(entry));
  return entries;
}

/** The same without holding the entries. Returns how many there were; a dictionary without entries is refused. */
export async function eachEntry(
  path: string,
  options: DictionaryOptions,
  take: (entry: Entry) => void,
): Promise<number> {
  let count = 0;
  let read: LineParser | undefined;
  for await (const { texts, first } of linesOfFile(path, options.encoding)) {
    for (const [index, text] of texts.entries()) {
      const content = text.trim();
      if (content === "") continue;
      const place = { file: path, line: first + index };
      const isFirst = read === undefined;
      read ??= parserFor(content, path, options, place);
      if (isFirst && read.skipsFirst) continue;
      take(read.entry(content, place));
      count++;
    }
  }
  if (count === 0) throw new InputError("dictionary: expected at least one entry, the file has none", { file: path });
  return count;
}

/** Reads a plain list of surfaces, such as a stop list. */
export async function readSurfaces(
  path: string,
  { encoding }: Pick<DictionaryOptions, "encoding"> = {},
): Promise<string[]> {
  const surfaces: string[] = [];
  for await (const { texts } of linesOfFile(path, encoding)) {
    for (const text of texts) if (text.trim() !== "") surfaces.push(text.trim());
  }
  return surfaces;
}

function linesOfFile(path: string, encoding: string | undefined): AsyncIterable<Lines> {
  const chunks: AsyncIterable<Buffer> = createReadStream(path, { highWaterMark: 1 << 18 });
  return readLines(decodeChunks(chunks, encoding, path), path);
}

interface LineParser {
  entry(content: string, place: LinePlace): Entry;
  /** The first line names the columns. */
  readonly skipsFirst?: boolean;
}

function parserFor(first: string, path: string, options: DictionaryOptions, place: LinePlace): LineParser {
  const dictionary = options.name ?? basename(path);
  const ending = extname(path).toLowerCase();
  if (ending === ".jsonl" || (first.startsWith("{") && first.endsWith("}"))) {
    refuseDeclared(first, options, place);
    return { entry: patternParser(dictionary, options.anyCase ?? false) };
  }
  const separator = separatorOf(first, ending);
  if (separator === undefined) return { entry: surfaceParser(dictionary, typeFor(path, options)) };
  return tableParser(first, separator, dictionary, typeFor(path, options), options, place);
}

/** Columns by a head that names them, or by their order. */
function tableParser(
  first: string,
  separator: string,
  dictionary: string,
  typeOfAll: string | undefined,
  options: DictionaryOptions,
  place: LinePlace,
): LineParser {
  const cells = cellsOf(first, separator, place);
  const head = headOf(cells);
  const columns = head ?? columnsByOrder(cells.length, separator, options);
  if (columns === undefined) {
    throw new InputError(
      `dictionary: expected surface${separator === "\t" ? "<TAB>" : separator}type, or a first line that names the columns ` +
        `(such as name and type), got ${cells.length} columns: ${quote(first)}`,
      place,
    );
  }
  if (columns.type !== undefined) refuseDeclared(first, options, place);
  return { entry: rowReader(columns, separator, dictionary, typeOfAll), skipsFirst: head !== undefined };
}

function columnsByOrder(count: number, separator: string, { columns }: DictionaryOptions): Columns | undefined {
  if (count === 1 && separator !== "\t") return { surface: 0, type: undefined, count };
  if (count !== 2) return undefined;
  return columns === "type-surface" ? { surface: 1, type: 0, count } : { surface: 0, type: 1, count };
}

/** A type for the whole file makes no sense where lines name their own. */
function refuseDeclared(first: string, { untyped, type }: DictionaryOptions, place: LinePlace): void {
  const declared = untyped ? "declared as a dictionary without types" : type && `declared as ${quote(type)}`;
  if (declared)
    throw new InputError(`dictionary: ${declared}, but its lines name types themselves: ${quote(first)}`, place);
}

function typeFor(path: string, options: DictionaryOptions): string | undefined {
  return options.untyped ? undefined : (options.type ?? basename(path, extname(path)));
}

function surfaceParser(dictionary: string, type: string | undefined): LineParser["entry"] {
  return (surface, place) => {
    if (surface.includes("\t")) {
      throw new InputError(
        `dictionary: expected one surface, as on the first line, got a tab: ${quote(surface)}`,
        place,
      );
    }
    return type === undefined ? { surface, dictionary } : { surface, type, dictionary };
  };
}

function patternParser(dictionary: string, anyCase: boolean): LineParser["entry"] {
  return (content, place) => ({ ...readPattern(content, anyCase, place), dictionary });
}
