import type { Document } from "../text/index.ts";
import { decodedSource } from "./decoded-source.ts";
import { formatToRead } from "./detect.ts";
import type { Format, ReadOptions } from "./format.ts";
import { type ByteRange, fileSource, type Source, streamSource } from "./source.ts";
import { isPacked, unpackedSource } from "./unpacked-source.ts";

/** Documents to come, with the format they are read from. */
export interface OpenDocuments {
  readonly format: Format;
  readonly documents: AsyncGenerator<Document, void, undefined>;
}

/**
 * Opens a file, or standard input for `-`, whose format is one of the table. What looks like no format is of the format
 * `fallback`, if there is one. A file that ends in .gz or .zst is unpacked on the way.
 */
export async function openDocuments(
  path: string,
  formats: readonly Format[],
  options: ReadOptions,
  fallback?: string,
): Promise<OpenDocuments> {
  const bytes = path === "-" ? streamSource(process.stdin, "<stdin>") : unpackedSource(fileSource(path));
  return openSource(bytes, formats, options, fallback);
}

/** The format of a file, as `openDocuments` would find it. */
export async function readFormat(
  path: string,
  formats: readonly Format[],
  options: ReadOptions,
  fallback?: string,
): Promise<Format> {
  return formatToRead(unpackedSource(fileSource(path)), formats, options, fallback);
}

/** Opens a part of a file that was cut where its format may be, or the whole of one that may not; `options` name the format. */
export async function openPart(
  path: string,
  range: ByteRange,
  formats: readonly Format[],
  options: ReadOptions,
): Promise<OpenDocuments> {
  // Lines are counted from the beginning of the part.
  const name = range.start === 0 ? path : `${path} (from byte ${range.start})`;
  const bytes = isPacked(path) ? unpackedSource(fileSource(path)) : fileSource(path, name, range);
  return openSource(bytes, formats, options);
}

async function openSource(
  bytes: Source,
  formats: readonly Format[],
  options: ReadOptions,
  fallback?: string,
): Promise<OpenDocuments> {
  const found = await formatToRead(bytes, formats, options, fallback);
  const source = found.storage === "file" ? await decodedSource(bytes, options.encoding) : bytes;
  return { format: found, documents: found.read(source, options) };
}
