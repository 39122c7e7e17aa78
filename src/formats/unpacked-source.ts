import { extname } from "node:path";
import { Readable, type Transform } from "node:stream";
import zlib from "node:zlib";
import { InputError, messageOf } from "../util/errors.ts";
import type { Source } from "./source.ts";
import { wholeFrames } from "./zstd-frames.ts";

interface Unpacker {
  /** Missing where this Node has none. */
  readonly make: (() => Transform) | undefined;
  /** What the packed bytes go through before, where the stream does not see that they were cut off. */
  check?(chunks: AsyncIterable<Buffer>, file: string): AsyncIterable<Buffer>;
}

/** By the ending of a file. */
const unpackers: Readonly<Record<string, Unpacker>> = {
  ".gz": { make: zlib.createGunzip },
  ".zst": {
    make: (zlib as { readonly createZstdDecompress?: () => Transform }).createZstdDecompress,
    check: wholeFrames,
  },
};

/** Whether the name of a file says that it is packed. */
export function isPacked(path: string): boolean {
  return Object.hasOwn(unpackers, extname(path).toLowerCase());
}

/** The content of a packed file, unpacked anew whenever it is read; any other source as it is. */
export function unpackedSource(source: Source): Source {
  const { path, name } = source;
  if (path === undefined || !isPacked(path)) return source;
  const ending = extname(path);
  const { make, check = (packed) => packed } = unpackers[ending.toLowerCase()]!;
  if (make === undefined)
    throw new InputError(
      `${ending} is read with Node 22.15 or later, and this is ${process.version}; unpack it first, or pack it as .gz`,
      { file: name },
    );
  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    const packed = Readable.from(check(source.chunks(), name));
    const stream = make!();
    packed.on("error", (error) => stream.destroy(error));
    try {
      yield* packed.pipe(stream) as AsyncIterable<Buffer>;
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(`cannot be unpacked: ${messageOf(error)}`, { file: name });
    } finally {
      packed.destroy();
    }
  }
  const unpacked: Source = {
    name,
    title: path.slice(0, -ending.length),
    chunks,
    async head(limit) {
      const seen: Buffer[] = [];
      let length = 0;
      for await (const chunk of chunks()) {
        seen.push(chunk);
        length += chunk.length;
        if (length >= limit) break;
      }
      return Buffer.concat(seen).subarray(0, limit);
    },
    rereading: (work) => work(unpacked),
  };
  return unpacked;
}
