import { z } from "zod";
import { maskOf } from "../inputs/index.ts";
import { bilstm as bilstmLayer, dropout, type Parameters } from "../nn/index.ts";
import { concat, input } from "../tensor/index.ts";
import { type Sentence, tokenCount } from "../text/index.ts";
import type { Encoded, Encoder, EncoderBatch, EncoderContext } from "./encoder.ts";
import type { EncoderKind } from "./kind.ts";
import { savedFile } from "./saved-file.ts";
import {
  chooseTokens,
  fillTokenVectors,
  type KnownTokens,
  knownTokens,
  mostlySingleCharacters,
  type TokenVectors,
  tokenVectorSettings,
  tokenVectors,
} from "./token-vectors.ts";
import { characterVocabulary, type WordFeatures, wordFeatureSettings, wordFeatures } from "./word-features.ts";
import { initialVectors, type WordVectors } from "./word-vectors.ts";

export const bilstmSettings = z.strictObject({
  ...tokenVectorSettings,
  /** Units of the LSTM in each direction. */
  units: z.int().min(1).default(200),
  /** Layers of the LSTM. */
  layers: z.int().min(1).default(1),
  /** Dropout of the vectors that a layer reads. */
  dropout: z.number().min(0).lt(1).default(0.5),
  /** Convolution over the characters of a word and its shape; not for scripts whose tokens are characters. */
  features: z.union([z.literal("auto"), z.boolean()]).default("auto"),
  featureSettings: wordFeatureSettings.prefault({}),
});
export type BilstmSettings = z.output<typeof bilstmSettings>;

const named = z.strictObject({ name: z.literal("bilstm"), ...bilstmSettings.shape });

export const bilstmKind = {
  name: "bilstm",
  usage: "bilstm",
  description: "word vectors and characters through a bidirectional LSTM; nothing pretrained is needed",
  settings: named,
  async open(settings, sentences, seed) {
    return bilstm(sentences, settings, { seed, vectors: await initialVectors(settings) });
  },
  restore: restoreBilstm,
} satisfies EncoderKind<z.output<typeof named>>;

const fileName = "vocabulary.json";

/** Everything beside the settings that the encoder needs: what it learned to know from the training data. */
interface Known extends KnownTokens {
  readonly characters: readonly string[] | null;
}

const knownSchema = z.object({ ...knownTokens.shape, characters: z.array(z.string()).nullable() });

/** Word vectors, bigrams and characters → bidirectional LSTM. Vocabulary and vectors come from the training sentences. */
export function bilstm(
  sentences: readonly Sentence[],
  settings: BilstmSettings,
  { seed, vectors }: { readonly seed: number; readonly vectors?: WordVectors | undefined },
): Encoder {
  const useFeatures = settings.features === "auto" ? !mostlySingleCharacters(sentences) : settings.features;
  const known = {
    ...chooseTokens(sentences, settings, vectors),
    characters: useFeatures ? characterVocabulary(sentences).entries : null,
  };
  const complete = { ...settings, wordWidth: vectors?.width ?? settings.wordWidth };
  const tokens = tokenVectors("bilstm", known, complete);
  fillTokenVectors(tokens, known, seed, vectors);
  return assemble(complete, known, tokens);
}

/** The encoder of a saved model; its tables are empty until the weights are read. */
function restoreBilstm(settings: BilstmSettings, files: Readonly<Record<string, string>>): Encoder {
  const known: Known = savedFile(files, fileName, knownSchema);
  return assemble(settings, known, tokenVectors("bilstm", known, settings));
}

function assemble(settings: BilstmSettings, known: Known, tokens: TokenVectors): Encoder {
  const features = known.characters && wordFeatures(known.characters, settings.featureSettings);
  return {
    name: "bilstm",
    settings: { ...settings, name: "bilstm" },
    tables: tokens.tables,
    pretrained: [],
    files: () => ({ [fileName]: JSON.stringify(known) }),
    portable: async () => ({
      inputs: [
        ...tokens.specs(fileName),
        ...(features?.specs({ file: fileName, key: "characters" }) ?? []),
        { kind: "mask", input: "bilstm.mask" },
      ],
    }),
    flops: (batch) => forwardFlops(settings, batch),
    size: tokenCount,
    batch(sentences) {
      const time = Math.max(1, ...sentences.map(tokenCount));
      const { lookups, feeds } = tokens.batch(sentences, time);
      return {
        lookups,
        feeds: {
          ...feeds,
          ...features?.batch(sentences, time),
          "bilstm.mask": { data: maskOf(sentences, time), shape: [sentences.length, time] },
        },
      };
    },
    build: (params, context) => build(params, context, settings, tokens, features),
  };
}

function build(
  params: Parameters,
  context: EncoderContext,
  settings: BilstmSettings,
  tokens: TokenVectors,
  features: WordFeatures | null,
): Encoded {
  const mask = input("bilstm.mask", "float32", ["batch", "time"]);
  const vectors = tokens.inputs();
  const parts = features ? [...vectors, features.build(params)] : vectors;
  let states = concat(parts, -1);
  for (let layer = 0; layer < settings.layers; layer++) {
    const dropped = dropout(states, settings.dropout, context.noise, `bilstm.${layer}`);
    states = bilstmLayer(params, `bilstm.${layer}`, dropped, mask, settings.units);
  }
  return { first: states, last: states, mask };
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
