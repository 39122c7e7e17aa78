import { constants, createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { InputError, quote } from "../util/errors.ts";
import { parseJson } from "../util/json.ts";
import { own } from "../util/own.ts";
import { readTextFile } from "../util/regular-file.ts";

/** Words with their vectors, one behind the other. */
export interface VectorTable {
  readonly words: readonly string[];
  readonly width: number;
  readonly values: Float32Array;
}

/** Beyond this a vector is none, and a word no word: the file is damaged or something else. */
const widest = 100_000;
const longestWord = 10_000;

/** A file of vectors by its ending: JSON of a package, word2vec binary, or text. */
export function readVectorFile(file: string): Promise<VectorTable> {
  if (file.endsWith(".json")) return readPackage(file);
  return /\.(bin|vector)$/.test(file) ? readBinary(file) : readText(file);
}

const packageSchema = z.object({
  words: z.array(z.string()),
  vectors: z.record(z.string(), z.array(z.number())),
  dimensions: z.int().min(1).max(widest),
});

async function readPackage(file: string): Promise<VectorTable> {
  const parsed = packageSchema.safeParse(parseJson(await readTextFile(file), "word vectors", { file }));
  if (!parsed.success)
    throw new InputError("word vectors: expected words, vectors and dimensions, as in a package of vectors", { file });
  const { words, vectors, dimensions } = parsed.data;
  const values = tableOf(words.length, dimensions, file);
  for (const [row, word] of words.entries()) {
    const vector = own(vectors, word);
    if (vector === undefined || vector.length < dimensions)
      throw new InputError(`word vectors: expected ${dimensions} numbers for ${quote(word)}`, { file });
    values.set(vector.slice(0, dimensions), row * dimensions);
  }
  return { words, width: dimensions, values };
}

/** One word and its numbers in each line; a first line of two numbers (word2vec) is a header. */
async function readText(file: string): Promise<VectorTable> {
  const words: string[] = [];
  const rows: Float32Array[] = [];
  let line = 0;
  const fail = (width: number, text: string): never => {
    throw new InputError(`word vectors: expected a word and ${width} numbers, got ${quote(text.slice(0, 100))}`, {
      file,
      line,
    });
  };
  for await (const text of createInterface({
    input: createReadStream(file, { encoding: "utf8", flags: "r" }),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line++;
    if (text.length > longestWord + 50 * widest) fail(rows[0]?.length ?? 1, text);
    const parts = text.trimEnd().split(/[ \t]+/);
    if (text === "" || (line === 1 && parts.length === 2)) continue;
    const width = rows[0]?.length ?? parts.length - 1;
    if (width < 1 || width > widest || parts.length <= width) fail(Math.max(1, width), text);
    const numbers = Float32Array.from(parts.slice(-width), Number);
    if (!numbers.every(Number.isFinite)) fail(width, text);
    words.push(parts.slice(0, -width).join(" "));
    rows.push(numbers);
  }
  const width = rows[0]?.length ?? 0;
  const values = tableOf(rows.length, width, file);
  for (const [i, row] of rows.entries()) values.set(row, i * width);
  return { words, width, values };
}

/** word2vec binary: a header line, then each word, a space and its float32 numbers. Read piece by piece, at any size. */
async function readBinary(file: string): Promise<VectorTable> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new InputError("word vectors: expected a file", { file });
    const bytes = byteReader(handle);
    const header = (await bytes.until(0x0a, 100)) ?? "";
    const [count, width] = header.trim().split(" ").map(Number) as [number, number];
    if (!/^\d+ \d+$/.test(header.trim()) || !(width > 0 && width <= widest))
      throw new InputError("word vectors: the first line must hold two numbers, count and width", { file });
    // A word takes a byte at least, a space, and its numbers.
    if (count * (2 + 4 * width) > stats.size)
      throw new InputError(`word vectors: ${count} words of width ${width} do not fit into ${stats.size} bytes`, {
        file,
      });
    const words: string[] = [];
    const values = tableOf(count, width, file);
    const vector = Buffer.alloc(4 * width);
    for (let row = 0; row < count; row++) {
      const word = await bytes.until(0x20, longestWord);
      if (word === undefined || !(await bytes.fill(vector)))
        throw new InputError(`word vectors: the file ends after ${row} of ${count} words`, { file });
      words.push(word.trimStart());
      for (let i = 0; i < width; i++) values[row * width + i] = vector.readFloatLE(4 * i);
    }
    return { words, width, values };
  } finally {
    await handle.close();
  }
}

interface ByteReader {
  /** The text up to a byte, which is passed over; nothing when it does not come within so many bytes. */
  until(byte: number, limit: number): Promise<string | undefined>;
  /** Fills a buffer; false when the file ends before. */
  fill(target: Buffer): Promise<boolean>;
}

function byteReader(handle: FileHandle): ByteReader {
  const block = Buffer.alloc(1 << 20);
  let rest = block.subarray(0, 0);
  const more = async (): Promise<boolean> => {
    rest.copy(block);
    const { bytesRead } = await handle.read(block, rest.length, block.length - rest.length, null);
    rest = block.subarray(0, rest.length + bytesRead);
    return bytesRead > 0;
  };
  return {
    async until(byte, limit) {
      for (;;) {
        const end = rest.subarray(0, limit + 1).indexOf(byte);
        if (end >= 0) {
          const text = rest.toString("utf8", 0, end);
          rest = rest.subarray(end + 1);
          return text;
        }
        if (rest.length > limit || !(await more())) return undefined;
      }
    },
    async fill(target) {
      for (let done = 0; done < target.length; ) {
        if (rest.length === 0 && !(await more())) return false;
        const copied = rest.copy(target, done);
        rest = rest.subarray(copied);
        done += copied;
      }
      return true;
    },
  };
}

function tableOf(rows: number, width: number, file: string): Float32Array {
  try {
    return new Float32Array(rows * width);
  } catch {
    throw new InputError(`word vectors: ${rows} words of width ${width} do not fit into memory`, { file });
  }
}
