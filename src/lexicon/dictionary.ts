import { createReadStream } from "node:fs";
import { basename, extname } from "node:path";
import { decodeChunks } from "../util/encoding.ts";
import { InputError, quote } from "../util/errors.ts";
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
  /** The order of the two columns where lines have a tab. */
  readonly columns?: "surface-type" | "type-surface" | undefined;
  /** Accept patterns that ask for any case, because the matcher folds case. */
  readonly anyCase?: boolean | undefined;
  /** How the file is encoded, by a name of the Encoding Standard; default UTF-8, or what its mark says. */
  readonly encoding?: string | undefined;
}

/**
 * Reads a dictionary: one surface a line, or two columns with a tab between them, or JSON lines with `label` and `pattern`.
 * The ending `.tsv` or `.jsonl`, or else the first line, decides which. Empty lines count for nothing.
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
      read ??= parserFor(content, path, options, place);
      take(read(content, place));
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

interface LinePlace {
  readonly file: string;
  readonly line: number;
}

type LineParser = (content: string, place: LinePlace) => Entry;

function parserFor(first: string, path: string, options: DictionaryOptions, place: LinePlace): LineParser {
  const dictionary = options.name ?? basename(path);
  const ending = extname(path).toLowerCase();
  const isJson = ending === ".jsonl" || (first.startsWith("{") && first.endsWith("}"));
  const isTabbed = ending === ".tsv" || first.includes("\t");
  if (!isJson && !isTabbed) return surfaceParser(dictionary, typeFor(path, options));
  const declared = options.untyped
    ? "declared as a dictionary without types"
    : options.type && `declared as ${quote(options.type)}`;
  if (declared)
    throw new InputError(`dictionary: ${declared}, but its lines name types themselves: ${quote(first)}`, place);
  return isJson
    ? patternParser(dictionary, options.anyCase ?? false)
    : columnParser(dictionary, options.columns ?? "surface-type");
}

function typeFor(path: string, options: DictionaryOptions): string | undefined {
  return options.untyped ? undefined : (options.type ?? basename(path, extname(path)));
}

function surfaceParser(dictionary: string, type: string | undefined): LineParser {
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

function columnParser(dictionary: string, columns: "surface-type" | "type-surface"): LineParser {
  return (content, place) => {
    const parts = content.split("\t").map((part) => part.trim());
    const [surface, type] = columns === "surface-type" ? parts : parts.toReversed();
    if (parts.length !== 2 || !surface || !type) {
      const order = columns.replace("-", "<TAB>");
      throw new InputError(`dictionary: expected ${order}, got ${parts.length} columns: ${quote(content)}`, place);
    }
    return { surface, type, dictionary };
  };
}

function patternParser(dictionary: string, anyCase: boolean): LineParser {
  return (content, place) => ({ ...readPattern(content, anyCase, place), dictionary });
}
