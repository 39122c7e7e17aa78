import { type FileHandle, open, stat } from "node:fs/promises";
import { type ByteRange, formats, isCuttable, isPacked, type ReadOptions, readFormat } from "../formats/index.ts";
import { foreignEncoding } from "../util/encoding.ts";
import { InputError } from "../util/errors.ts";

/** A part of an input that is worked on by itself. */
export interface Shard extends ByteRange {
  readonly file: string;
  /** The format by name: a part does not show it. */
  readonly format: string;
}

export interface CutOptions extends Pick<ReadOptions, "format" | "encoding"> {
  /** About how many bytes a shard has. */
  readonly size: number;
  /** The format of what looks like none. */
  readonly fallback?: string | undefined;
}

/** Cuts a file into shards at the borders of documents; a pure function of its content. */
export async function cutFile(file: string, { size, fallback, ...options }: CutOptions): Promise<Shard[]> {
  const { size: end } = await stat(file).catch(() => {
    throw new InputError("no such file", { file });
  });
  const { name: format } = await readFormat(file, formats, options, fallback);
  const shards: Shard[] = [];
  for await (const range of cutShard({ file, format, start: 0, end }, { size, encoding: options.encoding }))
    shards.push({ file, format, ...range });
  return shards;
}

export interface PieceOptions extends Pick<ReadOptions, "encoding"> {
  readonly size: number;
  /** Where the file begins in a larger one, if it is a part of it: borders are the same then. */
  readonly origin?: number | undefined;
}

/**
 * Cuts a shard at the first border of documents from each multiple of a size on. So the borders for a size are among those
 * for a part of it. What is packed, in another encoding, or of a format whose parts depend on one another is not cut.
 */
export async function* cutShard(
  { file, format, start, end }: Shard,
  { size, encoding, origin = 0 }: PieceOptions,
): AsyncGenerator<ByteRange, void, undefined> {
  const known = formats.find(({ name }) => name === format);
  if (known === undefined || !isCuttable(known) || isPacked(file) || end - start === 0) {
    yield { start, end };
    return;
  }
  const handle = await open(file);
  try {
    const head = await bytesAt(handle, start, 256);
    // One JSON list, or pairs of a text and an object: not one object a line.
    const isList = known.cut === "object" && /^(\ufeff)?\s*\[/.test(head.toString("utf8"));
    const isWhole = isList || foreignEncoding(head, encoding) !== undefined;
    for (let at = start; at < end; ) {
      const from = (Math.floor((at + origin) / size) + 1) * size - origin;
      const next = isWhole ? end : await borderFrom(handle, from, end, known.cut);
      yield { start: at, end: next };
      at = next;
    }
  } finally {
    await handle.close();
  }
}

const newline = 0x0a;
const brace = 0x7b;
const byteOrderMark = Buffer.from("\ufeff");
const windowSize = 1 << 13;

/** The first place from a byte on where a document begins; the end when there is none. */
async function borderFrom(handle: FileHandle, from: number, end: number, cut: "line" | "object"): Promise<number> {
  for (let at = from - 1; at < end - 1; ) {
    const window = await bytesAt(handle, at, windowSize);
    for (let found = window.indexOf(newline); found >= 0; found = window.indexOf(newline, found + 1)) {
      const place = at + found + 1;
      if (place >= end) return end;
      const next = window.subarray(found + 1, found + 1 + byteOrderMark.length);
      if (next.length < byteOrderMark.length && place + next.length < end) break;
      // A mark at the beginning of a part would be taken for one of the file.
      if (cut === "object" ? next[0] === brace : !next.equals(byteOrderMark)) return place;
    }
    // What begins at the very end of a window is looked at again at the beginning of the next.
    at += Math.max(1, window.length - byteOrderMark.length);
  }
  return end;
}

async function bytesAt(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
}
