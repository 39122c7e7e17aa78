import { existsSync } from "node:fs";
import { extname } from "node:path";
import { InvalidArgumentError, Option } from "commander";
import {
  type Format,
  formats,
  type OpenDocuments,
  openDocuments as openFormat,
  type ReadOptions,
} from "../formats/index.ts";
import { offsetUnits, type Scheme, schemeNamed } from "../text/index.ts";
import { encodingNamed } from "../util/encoding.ts";
import { messageOf } from "../util/errors.ts";

/** Flags that every command with annotated input has; their names are those of `ReadOptions`. A command may listen to notices beside. */
export function readingOptions(): Option[] {
  return [
    new Option("--scheme <name>", "tag scheme of the input (any is understood without it)").argParser(scheme),
    new Option("--strict", "refuse invalid tag sequences, repeated annotations and spans that begin or end in a space"),
    new Option("--flat", "refuse entities that overlap"),
    new Option("--labels <names>", "names of integer tags, in order, separated by commas").argParser(names),
    new Option("--offsets <unit>", "how the input counts characters").choices(offsetUnits),
    new Option("--candidates", "take predictions in the input as entities, also beside annotations"),
    new Option("--text-key <name>", "key of the text in Label Studio tasks (default: text)"),
    new Option(
      "--encoding <name>",
      "encoding of text files, such as latin1 (default: by the mark, else utf-8)",
    ).argParser(encoding),
  ];
}

export type ReadingFlags = Pick<
  ReadOptions,
  "scheme" | "strict" | "flat" | "labels" | "offsets" | "candidates" | "textKey" | "encoding" | "onNotice"
>;

export function readingFlags(flags: ReadingFlags): ReadingFlags {
  const { scheme, strict, flat, labels, offsets, candidates, textKey, encoding, onNotice } = flags;
  return { scheme, strict, flat, labels, offsets, candidates, textKey, encoding, onNotice };
}

export function formatOption(flags: string, description: string): Option {
  return new Option(flags, description).choices(formats.map(({ name }) => name));
}

export function outputFormatOption(description: string): Option {
  const written = formats.filter(({ storage }) => storage !== "binary");
  return new Option("--to <format>", description).choices(written.map(({ name }) => name));
}

export function silenceOption(description: string, flag = "--silence"): Option {
  return new Option(`${flag} <meaning>`, description).choices(["unknown", "negative"]);
}

/** A tag scheme by name, for a flag. */
export function scheme(text: string): Scheme {
  return named(text, schemeNamed);
}

/** An encoding by name, for a flag. */
export function encoding(text: string): string {
  return named(text, encodingNamed);
}

function named<T>(text: string, find: (name: string) => T): T {
  try {
    return find(text);
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}

/** A file and the format it has, if that is known. */
export interface InputFile {
  readonly path: string;
  readonly format: string | undefined;
}

/**
 * `FILE`, or `FILE=FORMAT` for a file whose format differs from that of the others. A file whose own name has the equals
 * sign is taken for itself, and so is one after whose last equals sign no format stands.
 */
export function inputFile(text: string, format?: string | undefined): InputFile {
  const equals = text.lastIndexOf("=");
  const name = text.slice(equals + 1);
  if (equals < 1 || existsSync(text) || !formats.some((known) => known.name === name)) return { path: text, format };
  return { path: text.slice(0, equals), format: name };
}

/**
 * As `readDocuments`, for a caller that needs to know the format; `-` is standard input, `FILE=FORMAT` names a format.
 * What looks like no format is of the format `fallback`, if there is one.
 */
export function openDocuments(file: string, options: ReadOptions, fallback?: string): Promise<OpenDocuments> {
  const { path, format } = inputFile(file, options.format);
  return openFormat(path, formats, { ...options, format }, fallback);
}

/** The name of a format for an output like its input; one of bytes is not written. */
export function writableName({ name, storage }: Format): string | undefined {
  return storage === "binary" ? undefined : name;
}

/** True when a format states itself which parts are complete: it has no limit, so not that one either. */
export function declaresCompleteness(format: Format): boolean {
  return format.storage !== "binary" && format.limits.length === 0;
}

/**
 * The format for an output whose name may not tell it: that of the first file with the same ending. Standard output is
 * like the first of them. Missing where only the name of the output can decide.
 */
export function formatLike(path: string, files: readonly InputFile[]): string | undefined {
  const ending = (name: string): string => extname(name).toLowerCase();
  return files.find((file) => file.format !== undefined && (path === "-" || ending(file.path) === ending(path)))
    ?.format;
}

function names(text: string): string[] {
  const list = text.split(",").map((name) => name.trim());
  if (list.includes("")) throw new InvalidArgumentError("Expected names separated by commas, got an empty one.");
  return list;
}
