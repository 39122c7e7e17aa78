import { type FileHandle, open } from "node:fs/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
} from "hyparquet";
import type { Document } from "../text/index.ts";
import { messageOf, quote } from "../util/errors.ts";
import type { BinaryFormat, ReadOptions } from "./format.ts";
import { huggingface, readTagRows, tagKeys, tokenKeys } from "./huggingface.ts";
import { failure, type Row } from "./rows.ts";
import { refuse, type Source } from "./source.ts";

const magic = "PAR1";

/**
 * Parquet of a Hugging Face data set: columns of tokens and tags. Tags that are numbers get their names from the
 * features that `datasets` stores in the file, or from the caller. One group of rows is held at a time.
 */
export const parquet: BinaryFormat = {
  name: "parquet",
  title: "Hugging Face data sets as Parquet",
  storage: "binary",
  instead: huggingface.name,
  extensions: [".parquet"],
  silence: huggingface.silence,
  limits: [],
  recognises: ({ bytes }) => bytes.toString("latin1", 0, magic.length) === magic,
  read: (source, options) => source.rereading((again) => read(again, options)),
};

async function* read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined> {
  const path = source.path ?? failure("parquet", source.name)("expected a file");
  const handle = await open(path).catch((error) => refuse(error, source.name));
  try {
    const file = await bufferOf(handle);
    const metadata = await attempt(source, () => parquetMetadataAsync(file));
    const columns = columnsOf(metadata, source);
    const labels = options.labels ?? labelNames(metadata, columns.tags);
    const rows = (): AsyncIterable<Row> => rowsOf(source, file, metadata, columns.all);
    yield* readTagRows(rows, { ...options, labels });
  } finally {
    await handle.close();
  }
}

async function bufferOf(handle: FileHandle): Promise<AsyncBuffer> {
  const { size } = await handle.stat();
  return {
    byteLength: size,
    async slice(start, end = size) {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(Math.max(0, end - start)), 0, end - start, start);
      if (bytesRead < end - start) throw new Error("the file ends too early");
      return buffer.buffer;
    },
  };
}

interface Columns {
  readonly tags: string;
  readonly all: string[];
}

function columnsOf({ schema }: FileMetaData, source: Source): Columns {
  const fail = failure("parquet", source.name);
  const names = topLevel(schema);
  const one = (known: readonly string[], what: string): string =>
    known.find((name) => names.includes(name)) ??
    fail(`expected a column of ${what} (${known.join(", ")}), got the columns ${names.map(quote).join(", ")}`);
  const tags = one(tagKeys, "tags");
  return { tags, all: [one(tokenKeys, "tokens"), tags, ...(names.includes("id") ? ["id"] : [])] };
}

/** The names of the columns: the schema is a tree, written down from the root. */
function topLevel(schema: FileMetaData["schema"]): string[] {
  const names: string[] = [];
  const sizeAt = (at: number): number => {
    let size = 1;
    for (let i = schema[at]?.num_children ?? 0; i > 0; i--) size += sizeAt(at + size);
    return size;
  };
  for (let at = 1; at < schema.length; at += sizeAt(at)) names.push(schema[at]!.name);
  return names;
}

/** The names of a column of class labels, from the features that `datasets` writes beside the schema. */
function labelNames({ key_value_metadata: pairs = [] }: FileMetaData, column: string): string[] | undefined {
  const stored = pairs.find(({ key }) => key === "huggingface")?.value;
  if (stored === undefined) return undefined;
  try {
    const feature = JSON.parse(stored)?.info?.features?.[column];
    const names: unknown = (feature?.feature ?? feature?.[0])?.names;
    return Array.isArray(names) && names.every((name) => typeof name === "string") ? names : undefined;
  } catch {
    return undefined;
  }
}

const compressors: Compressors = {
  GZIP: (bytes, length) => gunzipSync(bytes, { maxOutputLength: Math.max(1, length) }),
  BROTLI: (bytes, length) => brotliDecompressSync(bytes, { maxOutputLength: Math.max(1, length) }),
};

async function* rowsOf(
  source: Source,
  file: AsyncBuffer,
  metadata: FileMetaData,
  columns: string[],
): AsyncGenerator<Row, void, undefined> {
  let done = 0;
  for (const group of metadata.row_groups) {
    const [rowStart, rowEnd] = [done, done + Number(group.num_rows)];
    const read = () => parquetReadObjects({ file, metadata, columns, rowStart, rowEnd, compressors });
    for (const fields of await attempt(source, read)) {
      done++;
      yield { fields: plainNumbers(fields), fail: failure("parquet", `${source.name}: row ${done}`) };
    }
    done = rowEnd;
  }
}

/** Integers of 64 bits come as bigints; tags and ids are small. */
function plainNumbers(row: Record<string, unknown>): Record<string, unknown> {
  const plain = (value: unknown): unknown => {
    if (typeof value === "bigint") return Number(value);
    return Array.isArray(value) ? value.map(plain) : value;
  };
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, plain(value)]));
}

async function attempt<T>(source: Source, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    return failure("parquet", source.name)(`cannot be read: ${messageOf(error)}`);
  }
}
