import type { Document } from "../text/index.ts";
import { InputError } from "../util/errors.ts";
import { isStandardOutput } from "../util/output-target.ts";
import { brat } from "./brat.ts";
import { conll } from "./conll.ts";
import { formatToWrite } from "./detect.ts";
import { docbin } from "./docbin.ts";
import { doccano } from "./doccano.ts";
import { dsNer, pure } from "./ds-ner.ts";
import type { FileFormat, Format, ReadOptions, WriteOptions } from "./format.ts";
import { huggingface } from "./huggingface.ts";
import { labelStudio } from "./label-studio.ts";
import { lacuna } from "./lacuna.ts";
import { type Loss, reducer } from "./losses.ts";
import { negsampling } from "./negsampling.ts";
import { openDocuments } from "./open.ts";
import { writeFileAtomically, writeFolder, writeStream } from "./output.ts";
import { parquet } from "./parquet.ts";
import { prodigy } from "./prodigy.ts";
import { spacy } from "./spacy.ts";
import { spacyDoc } from "./spacy-doc.ts";
import { text } from "./text.ts";

export type {
  BinaryFormat,
  FileFormat,
  FolderFormat,
  Format,
  Limit,
  ReadOptions,
  Silence,
  WriteOptions,
} from "./format.ts";
export type { Loss } from "./losses.ts";

/** Every format, in the order in which they are tried on an input of unknown kind. */
export const formats: readonly Format[] = [
  lacuna,
  conll,
  labelStudio,
  prodigy,
  doccano,
  spacy,
  spacyDoc,
  docbin,
  huggingface,
  parquet,
  negsampling,
  dsNer,
  pure,
  brat,
  text,
];

/** Reads documents one by one; `-` is standard input. */
export function readDocuments(path: string, options: ReadOptions = {}): AsyncGenerator<Document, void, undefined> {
  return deferred(async () => (await openDocuments(path, formats, options)).documents);
}

/**
 * A generator that is made at the first step, or never when the caller stops before. Handing on each value with `yield*`
 * would cost a third of the time of reading.
 */
function deferred<T>(make: () => Promise<AsyncGenerator<T, void, undefined>>): AsyncGenerator<T, void, undefined> {
  let making: Promise<AsyncGenerator<T, void, undefined>> | undefined;
  let made: AsyncGenerator<T, void, undefined> | undefined;
  const start = async (): Promise<AsyncGenerator<T, void, undefined>> => {
    making ??= make();
    made = await making;
    return made;
  };
  const unlessUnmade = async (
    step: (inner: AsyncGenerator<T, void, undefined>) => Promise<IteratorResult<T, void>>,
  ): Promise<IteratorResult<T, void>> => {
    making ??= Promise.resolve(nothing<T>());
    return step(await start());
  };
  const generator: AsyncGenerator<T, void, undefined> = {
    next: () => (made === undefined ? start().then((inner) => inner.next()) : made.next()),
    return: (value) => unlessUnmade((inner) => inner.return(value)),
    throw: (error) => unlessUnmade((inner) => inner.throw(error)),
    [Symbol.asyncIterator]: () => generator,
  };
  return generator;
}

async function* nothing<T>(): AsyncGenerator<T, void, undefined> {}

/** Reads all documents of some files, in order. */
export async function readAll(paths: readonly string[], options: ReadOptions = {}): Promise<Document[]> {
  const documents: Document[] = [];
  for (const path of paths) for await (const document of readDocuments(path, options)) documents.push(document);
  return documents;
}

/**
 * Writes documents, as a whole or not at all; `-` is standard output. What the format cannot express is an error, or
 * with `onLoss: "list"` left out and counted in the result.
 */
export async function writeDocuments(
  path: string,
  documents: Iterable<Document> | AsyncIterable<Document>,
  options: WriteOptions = {},
): Promise<readonly Loss[]> {
  const format = formatToWrite(path, formats, lacuna, options.format);
  const { reduced, losses } = reducer(format, documents, path, options);
  if (format.storage === "folder") {
    if (isStandardOutput(path)) throw new InputError(`${format.name}: a folder cannot be written to standard output`);
    await writeFolder(path, format.write(reduced, options));
  } else if (isStandardOutput(path)) await writeStream(process.stdout, format.write(reduced, options));
  else await writeFileAtomically(path, format.write(reduced, options));
  return losses();
}

/** Documents in a format that may be cut, as pieces of text that may be joined with those of others. */
export function documentPieces(
  documents: AsyncIterable<Document>,
  name: string,
  options: WriteOptions,
): { readonly pieces: AsyncGenerator<string, void, undefined>; losses(): readonly Loss[] } {
  const format = cuttableFormat(name);
  const { reduced, losses } = reducer(format, documents, "-", options);
  return { pieces: format.write(reduced, options), losses };
}

/** The format of a name, for outputs that are to be joined. */
export function cuttableFormat(name: string): CuttableFormat {
  const known = formats.filter(isCuttable);
  const found = known.find((format) => format.name === name);
  if (found !== undefined) return found;
  const names = known.map((format) => format.name).join(", ");
  throw new InputError(`files in the format ${name} cannot be joined from shards (those that can: ${names})`);
}

/** A format whose files may be cut and joined. */
export type CuttableFormat = FileFormat & Required<Pick<FileFormat, "cut">>;

export function isCuttable(format: Format): format is CuttableFormat {
  return format.storage === "file" && format.cut !== undefined;
}
export { conll } from "./conll.ts";
export { formatToWrite } from "./detect.ts";
export { lacuna } from "./lacuna.ts";
export * as limits from "./limits/index.ts";
export { type OpenDocuments, openDocuments, openPart, readFormat } from "./open.ts";
export { batched, writeFileAtomically, writeStream } from "./output.ts";
export type { ByteRange } from "./source.ts";
export { text } from "./text.ts";
export { isPacked } from "./unpacked-source.ts";
