import { z } from "zod";
import { bilstm as bilstmLayer, dropout, type Parameters, uniformWithin } from "../nn/index.ts";
import { concat, type Data, input } from "../tensor/index.ts";
import { type Sentence, tokenCount, tokenText } from "../text/index.ts";
import { random } from "../util/random.ts";
import type { Encoded, Encoder, EncoderBatch, EncoderContext, Lookup, Table } from "./encoder.ts";
import { countedVocabulary, type Vocabulary, vocabulary } from "./vocabulary.ts";
import { characterVocabulary, type WordFeatures, wordFeatureSettings, wordFeatures } from "./word-features.ts";
import type { WordVectors } from "./word-vectors.ts";

export const bilstmSettings = z.strictObject({
  /** Pretrained word vectors: a file or an installed package. */
  vectors: z.string().nullable().default(null),
  /** Width of learned word vectors; pretrained ones bring their own. */
  wordWidth: z.int().min(1).default(100),
  /** Words must occur so often in training to get a vector of their own. */
  minimumCount: z.int().min(1).default(2),
  /** How many pretrained vectors are kept, the most frequent words first; words of the training set always are. */
  pretrainedWords: z.int().min(0).default(400_000),
  units: z.int().min(1).default(200),
  layers: z.int().min(1).default(1),
  dropout: z.number().min(0).lt(1).default(0.5),
  /** Vectors for pairs of neighbouring tokens: for scripts whose tokens are characters. */
  bigrams: z.union([z.literal("auto"), z.boolean()]).default("auto"),
  bigramWidth: z.int().min(1).default(50),
  /** Convolution over the characters of a word and its shape; not for scripts whose tokens are characters. */
  features: z.union([z.literal("auto"), z.boolean()]).default("auto"),
  featureSettings: wordFeatureSettings.prefault({}),
});
export type BilstmSettings = z.output<typeof bilstmSettings>;

/** Everything beside the settings that the encoder needs: what it learned to know from the training data. */
interface Lexicon {
  readonly words: readonly string[];
  readonly bigrams: readonly string[] | null;
  readonly characters: readonly string[] | null;
}

/** Word vectors, bigrams and characters → bidirectional LSTM. Vocabulary and vectors come from the training sentences. */
export function bilstm(
  sentences: readonly Sentence[],
  settings: BilstmSettings,
  { seed, vectors }: { readonly seed: number; readonly vectors?: WordVectors | undefined },
): Encoder {
  const byCharacter = mostlySingleCharacters(sentences);
  const useBigrams = settings.bigrams === "auto" ? byCharacter : settings.bigrams;
  const useFeatures = settings.features === "auto" ? !byCharacter : settings.features;
  const lexicon = {
    words: chooseWords(sentences, settings, vectors),
    bigrams: useBigrams ? countedVocabulary(bigramsOf(sentences), settings.minimumCount).entries : null,
    characters: useFeatures ? characterVocabulary(sentences).entries : null,
  };
  const complete = { ...settings, wordWidth: vectors?.width ?? settings.wordWidth };
  const encoder = assemble(complete, lexicon);
  for (const table of encoder.tables) {
    uniformWithin(Math.sqrt(3 / table.width))(table.values, [], random(seed, "initialise", table.name));
    table.values.fill(0, 0, table.width);
  }
  if (vectors) placeVectors(encoder.tables[0]!, lexicon.words, vectors);
  return encoder;
}

/** The encoder of a saved model; its tables are empty until the weights are read. */
export function restoreBilstm(settings: BilstmSettings, files: Readonly<Record<string, string>>): Encoder {
  return assemble(settings, JSON.parse(files["vocabulary.json"]!) as Lexicon);
}

function assemble(settings: BilstmSettings, lexicon: Lexicon): Encoder {
  const words = vocabulary(lexicon.words);
  const bigrams = lexicon.bigrams && vocabulary(lexicon.bigrams);
  const features = lexicon.characters && wordFeatures(lexicon.characters, settings.featureSettings);
  const wordTable = table("bilstm.words", words, settings.wordWidth);
  const bigramTable = bigrams && table("bilstm.bigrams", bigrams, settings.bigramWidth);
  const tables = bigramTable ? [wordTable, bigramTable] : [wordTable];
  return {
    name: "bilstm",
    settings: { ...settings },
    tables,
    pretrained: [],
    files: () => ({ "vocabulary.json": JSON.stringify(lexicon) }),
    flops: (batch) => forwardFlops(settings, batch),
    size: tokenCount,
    batch(sentences) {
      const time = Math.max(1, ...sentences.map(tokenCount));
      const lookups = [lookup(wordTable, sentences, time, (sentence, i) => words.id(fold(tokenText(sentence, i))))];
      if (bigramTable)
        lookups.push(lookup(bigramTable, sentences, time, (sentence, i) => bigrams.id(bigramAt(sentence, i))));
      const mask = new Float32Array(sentences.length * time);
      sentences.forEach((sentence, b) => {
        mask.fill(1, b * time, b * time + tokenCount(sentence));
      });
      const shape = [sentences.length, time];
      return {
        lookups,
        feeds: {
          ...Object.fromEntries(lookups.map((each) => [each.input, rowsOf(each, shape)])),
          ...features?.batch(sentences, time),
          "bilstm.mask": { data: mask, shape },
        },
      };
    },
    build: (params, context) => build(params, context, settings, tables, features),
  };
}

function build(
  params: Parameters,
  context: EncoderContext,
  settings: BilstmSettings,
  tables: readonly Table[],
  features: WordFeatures | null,
): Encoded {
  const mask = input("bilstm.mask", "float32", ["batch", "time"]);
  const vectors = tables.map(({ name, width }) => input(name, "float32", ["batch", "time", width]));
  const parts = features ? [...vectors, features.build(params)] : vectors;
  let states = concat(parts, -1);
  for (let layer = 0; layer < settings.layers; layer++) {
    const dropped = dropout(states, settings.dropout, context.noise, `bilstm.${layer}`);
    states = bilstmLayer(params, `bilstm.${layer}`, dropped, mask, settings.units);
  }
  return { first: states, last: states, mask };
}

function table(name: string, known: Vocabulary, width: number): Table {
  return { name, width, values: new Float32Array(known.size * width), trainable: true };
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

/** The rows of a lookup, one behind the other. */
export function rowsOf({ table: { values, width }, rows }: Lookup, shape: readonly number[]): Data {
  const data = new Float32Array(rows.length * width);
  rows.forEach((row, i) => {
    data.set(values.subarray(row * width, (row + 1) * width), i * width);
  });
  return { data, shape: [...shape, width] };
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
  settings: BilstmSettings,
  vectors: WordVectors | undefined,
): readonly string[] {
  const frequent = countedVocabulary(wordsOf(sentences), settings.minimumCount).entries;
  if (!vectors) return frequent;
  const seen = countedVocabulary(wordsOf(sentences)).entries.filter((word) => vectors.row(word) !== undefined);
  return [...new Set([...vectors.words.slice(0, settings.pretrainedWords), ...seen, ...frequent])];
}

function placeVectors({ values, width }: Table, words: readonly string[], vectors: WordVectors): void {
  words.forEach((word, i) => {
    const row = vectors.row(word);
    if (row !== undefined) values.set(vectors.values.subarray(row * width, (row + 1) * width), (i + 2) * width);
  });
}

export function mostlySingleCharacters(sentences: readonly Sentence[]): boolean {
  let [single, all] = [0, 0];
  for (const { offsets } of sentences) {
    for (let i = 0; i < offsets.length; i += 2) if (offsets[i + 1]! - offsets[i]! === 1) single++;
    all += offsets.length >> 1;
  }
  return single > 0.8 * all;
}

function forwardFlops(
  { units, layers, wordWidth, bigramWidth, featureSettings }: BilstmSettings,
  { feeds, lookups }: EncoderBatch,
): number {
  const tokens = feeds["bilstm.mask"]!.data.length;
  const characters = feeds["features.characters"];
  const { charKernel, charWidth, charFilters, shapeWidth } = featureSettings;
  const width = wordWidth + (lookups.length > 1 ? bigramWidth : 0) + (characters ? charFilters + shapeWidth : 0);
  const layer = (inWidth: number): number => 2 * 2 * 4 * units * (inWidth + units);
  const convolution = 2 * (characters?.data.length ?? 0) * charKernel * charWidth * charFilters;
  return tokens * (layer(width) + (layers - 1) * layer(2 * units)) + convolution;
}
