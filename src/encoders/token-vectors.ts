import { z } from "zod";
import { bigramAt, countedVocabulary, foldedAt, type InputSpec, textsOf, vocabulary } from "../inputs/index.ts";
import type { Tensor } from "../tensor/index.ts";
import type { Sentence } from "../text/index.ts";
import type { EncoderBatch, Table } from "./encoder.ts";
import { fillTable } from "./tables.ts";
import { tokenTable } from "./token-table.ts";
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
  /** Words must occur this often in training to get a vector of their own. */
  minimumCount: z.int().min(1).default(2),
  /** How many pretrained vectors are kept, the most frequent words first; words of the training set always are. */
  pretrainedWords: z.int().min(0).default(400_000),
  /** Vectors for pairs of neighbouring tokens: for scripts whose tokens are characters. */
  bigrams: z.union([z.literal("auto"), z.boolean()]).default("auto"),
  /** Width of the vectors of pairs. */
  bigramWidth: z.int().min(1).default(50),
} as const;

const settingsSchema = z.object(tokenVectorSettings);
export type TokenVectorSettings = z.output<typeof settingsSchema>;

/** The tokens and pairs that have a vector. */
export interface KnownTokens {
  readonly words: readonly string[];
  readonly bigrams: readonly string[] | null;
}

/** The same, as a saved model holds it. */
export const knownTokens = z.object({ words: z.array(z.string()), bigrams: z.array(z.string()).nullable() });

/** Tables of tokens and pairs, and their rows in a batch. */
export interface TokenVectors {
  readonly tables: readonly Table[];
  batch(sentences: readonly Sentence[], time: number): EncoderBatch;
  /** `[batch, time, width]` of each table. */
  inputs(): readonly Tensor[];
  /** How ids are made, by the file that holds the known tokens. */
  specs(file: string): readonly InputSpec[];
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
    bigrams: useBigrams ? countedVocabulary(textsOf(sentences, bigramAt), settings.minimumCount).entries : null,
  };
}

/** Empty tables for known tokens; `prefix` begins their names. */
export function tokenVectors(prefix: string, known: KnownTokens, settings: TokenVectorSettings): TokenVectors {
  const trainable = settings.vectors === null || settings.tuneVectors;
  const words = tokenTable(`${prefix}.words`, known.words, { width: settings.wordWidth, trainable, of: "word" });
  const parts = known.bigrams
    ? [words, tokenTable(`${prefix}.bigrams`, known.bigrams, { width: settings.bigramWidth, of: "pair" })]
    : [words];
  return {
    tables: parts.map(({ table }) => table),
    batch(sentences, time) {
      const batches = parts.map((part) => part.batch(sentences, time));
      return {
        lookups: batches.flatMap(({ lookups }) => lookups),
        feeds: Object.assign({}, ...batches.map(({ feeds }) => feeds)),
      };
    },
    inputs: () => parts.map((part) => part.input()),
    specs: (file) => parts.map((part, i) => part.spec({ file, key: i === 0 ? "words" : "bigrams" })),
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

export function mostlySingleCharacters(sentences: readonly Sentence[]): boolean {
  let [single, all] = [0, 0];
  for (const { offsets } of sentences) {
    for (let i = 0; i < offsets.length; i += 2) if (offsets[i + 1]! - offsets[i]! === 1) single++;
    all += offsets.length >> 1;
  }
  return single > 0.8 * all;
}

/** The words that have a vector: frequent ones, and with pretrained vectors those of the file and all that were seen. */
export function chooseWords(
  sentences: readonly Sentence[],
  settings: Pick<TokenVectorSettings, "minimumCount" | "pretrainedWords">,
  vectors: WordVectors | undefined,
): readonly string[] {
  const frequent = countedVocabulary(textsOf(sentences, foldedAt), settings.minimumCount).entries;
  if (!vectors) return frequent;
  const seen = countedVocabulary(textsOf(sentences, foldedAt)).entries.filter(
    (word) => vectors.row(word) !== undefined,
  );
  return [...new Set([...vectors.words.slice(0, settings.pretrainedWords), ...seen, ...frequent])];
}
