import { z } from "zod";
import { type LatticeOptions, longestOf, maskOf, wordLattice } from "../../inputs/index.ts";
import { dropout, hideBias, linear, type Parameters, relativeBlock } from "../../nn/index.ts";
import { concat, flatten, gather, input, relu, reshape, slice, type Tensor, unsqueeze } from "../../tensor/index.ts";
import { type Sentence, tokenCount } from "../../text/index.ts";
import { type Encoded, type Encoder, type EncoderBatch, type EncoderContext, idsOf } from "../encoder.ts";
import type { EncoderKind } from "../kind.ts";
import { savedFile } from "../saved-file.ts";
import { rowsOf } from "../tables.ts";
import {
  chooseTokens,
  fillTokenVectors,
  type KnownTokens,
  knownTokens,
  type TokenVectors,
  tokenVectorSettings,
  tokenVectors,
} from "../token-vectors.ts";
import { initialVectors } from "../word-vectors.ts";
import { openWords, restoreWords, type Words, wordSettings, wordsFile } from "./words.ts";

export const flatSettings = z.strictObject({
  name: z.literal("flat"),
  ...tokenVectorSettings,
  /** Bring pretrained vectors to length 1. */
  unitLength: z.boolean().default(true),
  /** Width of learned vectors of tokens; pretrained ones bring their own. */
  wordWidth: z.int().min(1).default(50),
  /** Layers of attention. */
  layers: z.int().min(1).default(1),
  /** Heads of attention. */
  heads: z.int().min(1).default(8),
  /** Width of a head; the width of the states is that of all heads together. */
  headWidth: z.int().min(1).default(20),
  /** Width of the inner layer, as a multiple of the width of the states. */
  inner: z.int().min(1).default(3),
  /** Dropout of the vectors of tokens and words. */
  dropout: z.number().min(0).lt(1).default(0.5),
  /** Dropout behind attention and inner layer. */
  layerDropout: z.number().min(0).lt(1).default(0.3),
  /** Dropout within the inner layer. */
  innerDropout: z.number().min(0).lt(1).default(0.15),
  words: wordSettings.prefault({}),
});
export type FlatSettings = z.output<typeof flatSettings>;

export const flatKind = {
  name: "flat",
  usage: "flat",
  description: "a transformer over characters and the words of a lexicon, for Chinese; nothing pretrained is needed",
  settings: flatSettings,
  open: loadFlat,
  restore: restoreFlat,
} satisfies EncoderKind<FlatSettings>;

const fileName = "vocabulary.json";

/**
 * FLAT (Li et al. 2020): the tokens of a sentence and the words of a lexicon found in it are nodes of one lattice, and a
 * transformer that knows how they lie to one another reads it. Vocabulary and vectors come from the training sentences.
 */
async function loadFlat(settings: FlatSettings, sentences: readonly Sentence[], seed: number): Promise<Encoder> {
  const vectors = await initialVectors(settings);
  const known = chooseTokens(sentences, settings, vectors);
  const complete = { ...settings, wordWidth: vectors?.width ?? settings.wordWidth };
  const tokens = tokenVectors("flat", known, complete);
  fillTokenVectors(tokens, known, seed, vectors);
  return assemble(complete, known, tokens, await openWords(sentences, settings.words, seed));
}

/** The encoder of a saved model; its tables are empty until the weights are read. */
function restoreFlat(settings: FlatSettings, files: Readonly<Record<string, string>>): Encoder {
  const known: KnownTokens = savedFile(files, fileName, knownTokens);
  return assemble(settings, known, tokenVectors("flat", known, settings), restoreWords(settings.words, files));
}

function assemble(settings: FlatSettings, known: KnownTokens, tokens: TokenVectors, words: Words): Encoder {
  return {
    name: "flat",
    settings: { ...settings, words: words.settings },
    tables: [...tokens.tables, words.table],
    pretrained: [],
    size: tokenCount,
    batch: (sentences) => batchOf(settings, tokens, words, sentences),
    build: (params, context) => build(params, context, settings, tokens, words),
    flops: (batch) => forwardFlops(settings, words, tokens, batch),
    files: () => ({ [fileName]: JSON.stringify(known), ...words.files() }),
    portable: async () => ({
      inputs: [
        ...tokens.specs(fileName),
        { kind: "mask", input: "flat.mask" },
        {
          kind: "word-lattice",
          file: wordsFile,
          inputs: {
            ids: idsOf(words.table.name),
            sources: "flat.sources",
            visible: "flat.visible",
            pairs: "flat.pairs",
            relations: "flat.relations",
            distances: "flat.distances",
          },
          ...latticeOptions(settings),
        },
      ],
    }),
  };
}

function batchOf(
  settings: FlatSettings,
  tokens: TokenVectors,
  words: Words,
  sentences: readonly Sentence[],
): EncoderBatch {
  const time = longestOf(sentences);
  const { ids, ...lattice } = wordLattice(sentences, time, words.find, latticeOptions(settings));
  const lookup = { table: words.table, input: words.table.name, rows: ids.data };
  const own = tokens.batch(sentences, time);
  return {
    lookups: [...own.lookups, lookup],
    feeds: {
      ...own.feeds,
      [lookup.input]: rowsOf(lookup, ids.shape),
      "flat.mask": { data: maskOf(sentences, time), shape: [sentences.length, time] },
      ...Object.fromEntries(Object.entries(lattice).map(([part, numbers]) => [`flat.${part}`, numbers])),
    },
  };
}

function latticeOptions({ layers, heads, headWidth }: FlatSettings): LatticeOptions {
  return { width: heads * headWidth, wordsAsk: layers > 1 };
}

function build(
  params: Parameters,
  { noise }: EncoderContext,
  settings: FlatSettings,
  tokens: TokenVectors,
  words: Words,
): Encoded {
  const { layers, heads, headWidth, inner } = settings;
  const width = heads * headWidth;
  const mask = input("flat.mask", "float32", ["batch", "time"]);
  const tokenStates = linear(
    params,
    "flat.tokens",
    dropout(concat(tokens.inputs(), -1), settings.dropout, noise, "flat.tokens"),
    width,
  );
  const vectors = input(words.table.name, "float32", ["batch", "matches", words.table.width]);
  const wordStates = linear(params, "flat.word", dropout(vectors, settings.dropout, noise, "flat.word"), width);
  const sources = input("flat.sources", "int32", ["batch", "nodes"]);
  let states = gather(concat([flatten(tokenStates), flatten(wordStates)], 0), sources); // [batch, nodes, width]

  const visible = input("flat.visible", "float32", ["batch", "nodes"]);
  const bias = hideBias(unsqueeze(unsqueeze(visible, 1), 1)); // [batch, 1, 1, nodes]
  const pairs = input("flat.pairs", "int32", ["batch", layers > 1 ? "nodes" : "time", "nodes"]);
  const relations = relationVectors(params, width);
  const options = {
    heads,
    inner: inner * width,
    dropout: settings.layerDropout,
    innerDropout: settings.innerDropout,
    noise,
  };
  for (let layer = 0; layer < layers; layer++) {
    // Only the states of tokens leave the last layer, and a sentence's tokens are its first nodes.
    const last = layer === layers - 1;
    const asking = last ? slice(states, 1, 0, "time") : states;
    const related = { vectors: relations, pairs: last ? slice(pairs, 1, 0, "time") : pairs };
    states = relativeBlock(params, `flat.${layer}`, asking, states, related, bias, options);
  }
  return { first: states, last: states, mask };
}

/** The four distances of each relation, fused by one layer: `[relations, width]`. */
function relationVectors(params: Parameters, width: number): Tensor {
  const distances = input("flat.distances", "float32", ["distances", width]);
  const four = gather(distances, input("flat.relations", "int32", ["relations", 4])); // [relations, 4, width]
  return relu(linear(params, "flat.relation", reshape(four, ["relations", 4 * width]), width));
}

function forwardFlops(
  { layers, heads, headWidth, inner }: FlatSettings,
  words: Words,
  { tables }: TokenVectors,
  { feeds }: EncoderBatch,
): number {
  const [batch, nodes] = feeds["flat.sources"]!.shape as [number, number];
  const [, time] = feeds["flat.mask"]!.shape as [number, number];
  const [, count] = feeds[words.table.name]!.shape as [number, number];
  const [relations] = feeds["flat.relations"]!.shape as [number];
  const width = heads * headWidth;
  const tokenWidth = tables.reduce((total, table) => total + table.width, 0);
  const entry = batch * width * (time * tokenWidth + count * words.table.width) + relations * 4 * width * width;
  const layer = (asking: number): number =>
    batch * width * (asking * (width + 2 * nodes + relations + 2 * inner * width) + 2 * nodes * width) +
    relations * width * width;
  return 2 * (entry + (layers - 1) * layer(nodes) + layer(time));
}
