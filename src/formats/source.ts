import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { InputError, messageOf } from "../util/errors.ts";
import { forget, scratchName } from "../util/temporary.ts";

/** Bytes to read, and their name in messages. */
export interface Source {
  readonly name: string;
  /** Where they stand on disk; missing for standard input. */
  readonly path?: string;
  /** The name whose ending tells the format, where `path` does not. */
  readonly title?: string;
  /** Up to `limit` bytes of the beginning, which are not used up. */
  head(limit: number): Promise<Buffer>;
  /** All bytes from the beginning. */
  chunks(): AsyncIterable<Buffer>;
  /** Runs work that calls `chunks` more than once. */
  rereading<T>(work: (source: Source) => AsyncGenerator<T, void, undefined>): AsyncGenerator<T, void, undefined>;
}

const chunkSize = 1 << 18;

/** A part of a file, from one byte to before another. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

const wholeFile: ByteRange = { start: 0, end: Number.POSITIVE_INFINITY };

export function fileSource(path: string, name = path, { start, end }: ByteRange = wholeFile): Source {
  const source: Source = {
    name,
    path,
    async head(limit) {
      const file = await open(path).catch((error) => refuse(error, name));
      try {
        const length = Math.min(limit, end - start);
        const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
        return buffer.subarray(0, bytesRead);
      } catch (error) {
        return refuse(error, name);
      } finally {
        await file.close();
      }
    },
    async *chunks() {
      if (end <= start) return;
      try {
        yield* createReadStream(path, { highWaterMark: chunkSize, start, end: end - 1 }) as AsyncIterable<Buffer>;
      } catch (error) {
        refuse(error, name);
      }
    },
    rereading: (work) => work(source),
  };
  return source;
}

/** A stream that can be read once; what `head` looked at is kept, and a second reading goes through a temporary file. */
export function streamSource(stream: AsyncIterable<Buffer | string>, name: string): Source {
  const iterator = stream[Symbol.asyncIterator]();
  const seen: Buffer[] = [];
  const next = async (): Promise<Buffer | undefined> => {
    const { done, value } = await iterator.next();
    return done ? undefined : Buffer.from(value);
  };
  async function* chunks(): AsyncGenerator<Buffer, void, undefined> {
    while (seen.length > 0) yield seen.shift()!;
    for (let chunk = await next(); chunk !== undefined; chunk = await next()) yield chunk;
  }
  return {
    name,
    chunks,
    async head(limit) {
      let length = seen.reduce((sum, chunk) => sum + chunk.length, 0);
      while (length < limit) {
        const chunk = await next();
        if (chunk === undefined) break;
        seen.push(chunk);
        length += chunk.length;
      }
      return Buffer.concat(seen).subarray(0, limit);
    },
    async *rereading(work) {
      const folder = await scratchName(tmpdir());
      try {
        await mkdir(folder, { mode: 0o700 });
        const path = join(folder, "input");
        await pipeline(chunks(), createWriteStream(path));
        yield* work(fileSource(path, name));
      } finally {
        await forget(folder);
      }
    },
  };
}

/** Turns the failure of opening or reading a file into a line that says what was expected. */
export function refuse(error: unknown, file: string): never {
  const code = (error as NodeJS.ErrnoException).code;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "no such file",
    EISDIR: "expected a file, got a directory",
    ENOTDIR: "no such file: a part of the path is not a directory",
    EACCES: "no permission to read it",
  };
  if (code === undefined) throw error;
  throw new InputError(reasons[code] ?? `cannot be read: ${messageOf(error)}`, { file });
}
