import { z } from "zod";
import { input, type Tensor } from "../tensor/index.ts";
import { type Sentence, tokenCount, tokenText } from "../text/index.ts";
import type { EncoderBatch, Lookup, Table } from "./encoder.ts";
import { emptyTable, fillTable, rowsOf } from "./tables.ts";
import { countedVocabulary, vocabulary } from "./vocabulary.ts";
import type { WordVectors } from "./word-vectors.ts";

/** Settings of vectors for tokens and for pairs of them, for encoders that start from such vectors. */
export const tokenVectorSettings = {
  /** Pretrained word vectors: a file or an installed package. */
  vectors: z.string().nullable().default(null),
  /** Bring pretrained vectors to length 1. */
  unitLength: z.boolean().default(false),
  /**
   * Whether training changes pretrained vectors. Labels from a dictionary follow from the words, and vectors that move
   * can learn it by heart, with what it lacks. If not, words without a pretrained vector keep a random one.
   */
  tuneVectors: z.boolean().default(true),
  /** Width of learned word vectors; pretrained ones bring their own. */
  wordWidth: z.int().min(1).default(100),
  /** Words must occur so often in training to get a vector of their own. */
  minimumCount: z.int().min(1).default(2),
  /** How many pretrained vectors are kept, the most frequent words first; words of the training set always are. */
  pretrainedWords: z.int().min(0).default(400_000),
  /** Vectors for pairs of neighbouring tokens: for scripts whose tokens are characters. */
  bigrams: z.union([z.literal("auto"), z.boolean()]).default("auto"),
  bigramWidth: z.int().min(1).default(50),
} as const;

const settingsSchema = z.object(tokenVectorSettings);
export type TokenVectorSettings = z.output<typeof settingsSchema>;

/** The tokens and pairs that have a vector. */
export interface KnownTokens {
  readonly words: readonly string[];
  readonly bigrams: readonly string[] | null;
}

/** Tables of tokens and pairs, and their rows in a batch. */
export interface TokenVectors {
  readonly tables: readonly Table[];
  batch(sentences: readonly Sentence[], time: number): EncoderBatch;
  /** `[batch, time, width]` of each table. */
  inputs(): readonly Tensor[];
}

/** What the training sentences, and the pretrained vectors if there are some, give a vector to. */
export function chooseTokens(
  sentences: readonly Sentence[],
  settings: TokenVectorSettings,
  vectors: WordVectors | undefined,
): KnownTokens {
  const useBigrams = settings.bigrams === "auto" ? mostlySingleCharacters(sentences) : settings.bigrams;
  return {
    words: chooseWords(sentences, settings, vectors),
    bigrams: useBigrams ? countedVocabulary(bigramsOf(sentences), settings.minimumCount).entries : null,
  };
}

/** Empty tables for known tokens; `prefix` begins their names. */
export function tokenVectors(prefix: string, known: KnownTokens, settings: TokenVectorSettings): TokenVectors {
  const words = vocabulary(known.words);
  const bigrams = known.bigrams && vocabulary(known.bigrams);
  const tuned = settings.vectors === null || settings.tuneVectors;
  const wordTable = emptyTable(`${prefix}.words`, words, settings.wordWidth, tuned);
  const bigramTable = bigrams && emptyTable(`${prefix}.bigrams`, bigrams, settings.bigramWidth);
  const tables = bigramTable ? [wordTable, bigramTable] : [wordTable];
  return {
    tables,
    batch(sentences, time) {
      const lookups = [lookup(wordTable, sentences, time, (sentence, i) => words.id(fold(tokenText(sentence, i))))];
      if (bigramTable)
        lookups.push(lookup(bigramTable, sentences, time, (sentence, i) => bigrams.id(bigramAt(sentence, i))));
      const shape = [sentences.length, time];
      return { lookups, feeds: Object.fromEntries(lookups.map((each) => [each.input, rowsOf(each, shape)])) };
    },
    inputs: () => tables.map(({ name, width }) => input(name, "float32", ["batch", "time", width])),
  };
}

/** First values of the tables. */
export function fillTokenVectors(
  { tables: [wordTable, bigramTable] }: TokenVectors,
  known: KnownTokens,
  seed: number,
  vectors: WordVectors | undefined,
): void {
  fillTable(wordTable!, vocabulary(known.words), seed, vectors);
  if (bigramTable) fillTable(bigramTable, vocabulary(known.bigrams!), seed);
}

/** Ones for tokens and zeros for padding: `[batch, time]`. */
export function maskOf(sentences: readonly Sentence[], time: number): Float32Array {
  const mask = new Float32Array(sentences.length * time);
  sentences.forEach((sentence, b) => {
    mask.fill(1, b * time, b * time + tokenCount(sentence));
  });
  return mask;
}

export function mostlySingleCharacters(sentences: readonly Sentence[]): boolean {
  let [single, all] = [0, 0];
  for (const { offsets } of sentences) {
    for (let i = 0; i < offsets.length; i += 2) if (offsets[i + 1]! - offsets[i]! === 1) single++;
    all += offsets.length >> 1;
  }
  return single > 0.8 * all;
}

function lookup(
  table: Table,
  sentences: readonly Sentence[],
  time: number,
  id: (sentence: Sentence, i: number) => number,
): Lookup {
  const rows = new Int32Array(sentences.length * time);
  sentences.forEach((sentence, b) => {
    for (let i = 0; i < tokenCount(sentence); i++) rows[b * time + i] = id(sentence, i);
  });
  return { table, input: table.name, rows };
}

/** Words are looked up without case; the shape and the characters tell it. */
function fold(word: string): string {
  return word.toLowerCase();
}

function bigramAt(sentence: Sentence, i: number): string {
  return tokenText(sentence, i) + (i + 1 < tokenCount(sentence) ? tokenText(sentence, i + 1) : "\n");
}

function* bigramsOf(sentences: readonly Sentence[]): Generator<string> {
  for (const sentence of sentences) for (let i = 0; i < tokenCount(sentence); i++) yield bigramAt(sentence, i);
}

function* wordsOf(sentences: readonly Sentence[]): Generator<string> {
  for (const sentence of sentences) for (let i = 0; i < tokenCount(sentence); i++) yield fold(tokenText(sentence, i));
}

function chooseWords(
  sentences: readonly Sentence[],
  settings: TokenVectorSettings,
  vectors: WordVectors | undefined,
): readonly string[] {
  const frequent = countedVocabulary(wordsOf(sentences), settings.minimumCount).entries;
  if (!vectors) return frequent;
  const seen = countedVocabulary(wordsOf(sentences)).entries.filter((word) => vectors.row(word) !== undefined);
  return [...new Set([...vectors.words.slice(0, settings.pretrainedWords), ...seen, ...frequent])];
}
