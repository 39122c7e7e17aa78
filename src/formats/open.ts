import type { Document } from "../text/index.ts";
import { decodedSource } from "./decoded-source.ts";
import { formatToRead } from "./detect.ts";
import type { Format, ReadOptions } from "./format.ts";
import { fileSource, streamSource } from "./source.ts";

/** Documents to come, with the format they are read from. */
export interface OpenDocuments {
  readonly format: Format;
  readonly documents: AsyncGenerator<Document, void, undefined>;
}

/**
 * Opens a file, or standard input for `-`, whose format is one of the table. What looks like no format is of the format
 * `fallback`, if there is one.
 */
export async function openDocuments(
  path: string,
  formats: readonly Format[],
  options: ReadOptions,
  fallback?: string,
): Promise<OpenDocuments> {
  const bytes = path === "-" ? streamSource(process.stdin, "<stdin>") : fileSource(path);
  const found = await formatToRead(bytes, formats, options, fallback);
  const source = found.storage === "file" ? await decodedSource(bytes, options.encoding) : bytes;
  return { format: found, documents: found.read(source, options) };
}
