import { extname } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import { formatToRead } from "../formats/detect.ts";
import { type Format, formats, type ReadOptions } from "../formats/index.ts";
import { fileSource, streamSource } from "../formats/source.ts";
import type { Document } from "../text/document.ts";
import { offsetUnits } from "../text/offsets.ts";
import { type Scheme, schemeNamed } from "../text/tags.ts";
import { messageOf } from "../util/errors.ts";

/** Flags that every command with annotated input has; their names are those of `ReadOptions`. */
export function readingOptions(): Option[] {
  return [
    new Option("--scheme <name>", "tag scheme of the input (any is understood without it)").argParser(scheme),
    new Option("--strict", "refuse invalid tag sequences, repeated annotations and spans that begin or end in a space"),
    new Option("--flat", "refuse entities that overlap"),
    new Option("--labels <names>", "names of integer tags, in order, separated by commas").argParser(names),
    new Option("--offsets <unit>", "how the input counts characters").choices(offsetUnits),
    new Option("--candidates", "take predictions in the input as entities, also beside annotations"),
  ];
}

export type ReadingFlags = Pick<ReadOptions, "scheme" | "strict" | "flat" | "labels" | "offsets" | "candidates">;

export function readingFlags(flags: ReadingFlags): ReadingFlags {
  const { scheme, strict, flat, labels, offsets, candidates } = flags;
  return { scheme, strict, flat, labels, offsets, candidates };
}

export function formatOption(flags: string, description: string): Option {
  return new Option(flags, description).choices(formats.map(({ name }) => name));
}

export function silenceOption(description: string, flag = "--silence"): Option {
  return new Option(`${flag} <meaning>`, description).choices(["unknown", "negative"]);
}

/** A tag scheme by name, for a flag. */
export function scheme(text: string): Scheme {
  try {
    return schemeNamed(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

/** Documents to come, with the format they are read from. */
export interface OpenDocuments {
  readonly format: Format;
  readonly documents: AsyncGenerator<Document, void, undefined>;
}

/**
 * As `readDocuments`, for a caller that needs to know the format; `-` is standard input. What looks like no format is
 * of the format `fallback`, if there is one.
 */
export async function openDocuments(path: string, options: ReadOptions, fallback?: string): Promise<OpenDocuments> {
  const source = path === "-" ? streamSource(process.stdin, "<stdin>") : fileSource(path);
  const format = await formatToRead(source, formats, options.format, fallback);
  return { format, documents: format.read(source, options) };
}

/** True when a format states itself which parts are complete: it has no limit, so not that one either. */
export function declaresCompleteness(format: Format): boolean {
  return format.limits.length === 0;
}

/** A file and the format it has, if that is known. */
interface KnownFile {
  readonly path: string;
  readonly format: string | undefined;
}

/**
 * The format for an output whose name may not tell it: that of the first file with the same ending. Standard output is
 * like the first of them. Missing where only the name of the output can decide.
 */
export function formatLike(path: string, files: readonly KnownFile[]): string | undefined {
  const ending = (name: string): string => extname(name).toLowerCase();
  return files.find((file) => file.format !== undefined && (path === "-" || ending(file.path) === ending(path)))
    ?.format;
}

function names(text: string): string[] {
  const list = text.split(",").map((name) => name.trim());
  if (list.includes("")) throw new InvalidArgumentError("Expected names separated by commas, got an empty one.");
  return list;
}
