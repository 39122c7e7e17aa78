import { z } from "zod";
import {
  type InputSpec,
  type Layout,
  type LayoutOptions,
  layOut,
  type SubwordLayout,
  type SubwordTokeniser,
  subwordCount,
} from "../../inputs/index.ts";
import { bilstm, dropout, type Initialiser, type Parameters } from "../../nn/index.ts";
import { concat, input, type Tensor } from "../../tensor/index.ts";
import type { Sentence } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import { own } from "../../util/own.ts";
import { readTextFile } from "../../util/regular-file.ts";
import { type Encoded, type EncoderBatch, type EncoderContext, idsOf, type Table } from "../encoder.ts";
import { findPretrained } from "../pretrained.ts";
import { savedFile } from "../saved-file.ts";
import { mostlySingleCharacters } from "../token-vectors.ts";
import { characterVocabulary, wordFeatureSettings, wordFeatures } from "../word-features.ts";
import { layoutBatch } from "./batch.ts";
import { openCheckpoint } from "./checkpoint.ts";
import { type Architecture, parseArchitecture } from "./config.ts";
import { type AfterLayer, forwardFlops, type LowerLayers, states, wordStates } from "./graph.ts";
import { subwordTokeniser } from "./tokeniser.ts";
import { declareWeights, type Weight, wordTable } from "./weights.ts";

export const transformerSettings = z.strictObject({
  /** Dropout of the model's own layers in training; as its config says when null. */
  dropout: z.number().min(0).lt(1).nullable().default(null),
  /** Dropout of attention in training; as its config says when null. */
  attentionDropout: z.number().min(0).lt(1).nullable().default(null),
  /** Sub-words in a window, the special ones included; as many as the model has positions when null. */
  window: z.int().min(1).nullable().default(null),
  /** The share of a window that the next one repeats, for sentences that need several. */
  overlap: z.number().min(0).lt(1).default(0.25),
  /** Characters and shapes of words beside the model's vectors; by default for models that do not see capitals. */
  features: z.union([z.literal("auto"), z.boolean()]).default("auto"),
  featureSettings: wordFeatureSettings.prefault({}),
  /**
   * Units, in each direction, of an LSTM over the vectors of words with their features: without it a word knows how it is
   * written itself, but not how its neighbours are. `auto` is 128 beside features and none without.
   */
  context: z.union([z.literal("auto"), z.int().min(0)]).default("auto"),
});
export type TransformerSettings = z.output<typeof transformerSettings>;

/** A pretrained model of the BERT family as part of an encoder: everything but what its states are used for. */
export interface TransformerBody {
  readonly settings: TransformerSettings;
  readonly architecture: Architecture;
  readonly table: Table;
  /** The prefix of its parameters and its table. */
  readonly pretrained: string;
  /** Sub-words of a sentence, the special ones included. */
  size(sentence: Sentence): number;
  layOut(sentences: readonly Sentence[]): Layout;
  batch(sentences: readonly Sentence[], layout: Layout): EncoderBatch;
  /** The states of the last layer: `[windows, pieces, hidden]`, from the first layer on or above given states. */
  states(params: Parameters, context: EncoderContext, after?: AfterLayer, lower?: LowerLayers): Tensor;
  /** Sub-words that fit into a window, the special ones included. */
  readonly window: number;
  /** What stands beside the vectors of words, `[batch, time, width]` each; empty without word features. */
  beside(params: Parameters): Tensor[];
  /** The vectors of words by the states of the last layer. */
  encoded(params: Parameters, states: Tensor, context: EncoderContext): Encoded;
  /** `[batch, time]` */
  mask(): Tensor;
  flops(batch: EncoderBatch): number;
  /** How its inputs are made; `files` are the names of its files, `prefix` begins the names of its inputs. */
  specs(files?: BodyFiles, prefix?: string): readonly InputSpec[];
  /** How it cuts sentences into windows, by the name of its tokeniser's file. */
  layout(tokenizer?: string): SubwordLayout;
  files(): Readonly<Record<string, string>>;
}

/** What a body is made of, wherever it comes from. */
interface Parts {
  readonly settings: TransformerSettings;
  readonly architecture: Architecture;
  readonly tokeniser: SubwordTokeniser;
  /** Characters that word features know; null without features. */
  readonly characters: readonly string[] | null;
  readonly words: Float32Array;
  readonly initialiserOf?: (weight: Weight) => Initialiser;
  /** The text of the model's own config, kept with a saved model. */
  readonly config: string;
}

/** The names of files in a saved model. */
export interface BodyFiles {
  readonly tokeniser: string;
  readonly vocabulary: string;
}

const fileNames = { config: "transformer.json", tokeniser: "tokenizer.json", vocabulary: "vocabulary.json" } as const;

/** Of the vectors that the LSTM over words reads. */
const contextDropout = 0.3;

/** Reads a Hugging Face directory, or an installed package that holds one. */
export async function openBody(
  nameOrDirectory: string,
  sentences: Iterable<Sentence>,
  settings: TransformerSettings,
): Promise<TransformerBody> {
  const found = await findPretrained(nameOrDirectory);
  const config = await readTextFile(found.config);
  const architecture = parseArchitecture(config, found.config);
  const tokeniser = subwordTokeniser(await readTextFile(found.tokeniser), found.tokeniser);
  if (tokeniser.size > architecture.vocabulary) {
    const rule = `has ids up to ${tokeniser.size - 1}, but the model knows ${architecture.vocabulary} sub-words`;
    throw new InputError(rule, { file: found.tokeniser });
  }
  const { words, initialiserOf } = openCheckpoint(found.weights, architecture);
  const all = [...sentences];
  const features = settings.features === "auto" ? tokeniser.uncased && !mostlySingleCharacters(all) : settings.features;
  const characters = features ? characterVocabulary(all).entries : null;
  const context = settings.context === "auto" ? (features ? 128 : 0) : settings.context;
  const complete = { ...settings, features, context };
  return assemble({ settings: complete, architecture, tokeniser, characters, words, initialiserOf, config });
}

/** The body of a saved model; its weights are zero until they are read. */
export function restoreBody(settings: TransformerSettings, saved: Readonly<Record<string, string>>): TransformerBody {
  const file = (name: string): string => {
    const text = own(saved, name);
    if (text === undefined) throw new InputError(`transformer encoder: the model has no file ${name}`);
    return text;
  };
  const config = file(fileNames.config);
  const architecture = parseArchitecture(config, fileNames.config);
  const tokeniser = subwordTokeniser(file(fileNames.tokeniser), fileNames.tokeniser);
  const characters = settings.features ? savedFile(saved, fileNames.vocabulary, z.array(z.string())) : null;
  const words = new Float32Array(architecture.vocabulary * architecture.embedding);
  return assemble({ settings, architecture, tokeniser, characters, words, config });
}

function assemble(parts: Parts): TransformerBody {
  const { settings, architecture, tokeniser, characters, words, initialiserOf, config } = parts;
  const table: Table = { name: wordTable.name, width: architecture.embedding, values: words, trainable: true };
  const options = layoutOptions(settings, architecture, tokeniser);
  const features = characters && wordFeatures(characters, settings.featureSettings);
  const rates = {
    dropout: settings.dropout ?? architecture.dropout,
    attentionDropout: settings.attentionDropout ?? architecture.attentionDropout,
  };
  const layout = (tokenizer: string = fileNames.tokeniser): SubwordLayout => ({
    tokenizer,
    capacity: options.capacity,
    overlap: options.overlap,
  });
  const beside = (params: Parameters): Tensor[] => (features ? [features.build(params)] : []);
  const mask = (): Tensor => input("transformer.mask", "float32", ["batch", "time"]);
  return {
    settings,
    architecture,
    table,
    pretrained: "transformer.",
    size: (sentence) => subwordCount(sentence, tokeniser),
    layOut: (sentences) => layOut(sentences, options),
    batch(sentences, layout) {
      const { feeds, lookups } = layoutBatch(layout, table, architecture);
      const [, time] = feeds["transformer.mask"]!.shape;
      return { lookups, feeds: { ...feeds, ...features?.batch(sentences, time!) } };
    },
    window: settings.window ?? architecture.positions,
    states(params, context, after, lower) {
      const weights = declareWeights(params, architecture, initialiserOf, lower?.layers);
      return states(params, weights, architecture, rates, context, after, lower);
    },
    beside,
    encoded(params, all, { noise }) {
      const words = { first: wordStates(all, "first"), last: wordStates(all, "last"), mask: mask() };
      const own = beside(params);
      const units = contextUnits(settings);
      if (units > 0) {
        const read = dropout(concat([words.first, ...own], -1), contextDropout, noise, "context.read");
        own.push(bilstm(params, "context", read, words.mask, units));
      }
      return { ...words, first: concat([words.first, ...own], -1), last: concat([words.last, ...own], -1) };
    },
    mask,
    layout,
    specs: (names = fileNames, prefix = "") => [
      {
        kind: "subwords",
        ...layout(names.tokeniser),
        inputs: {
          ids: idsOf(`${prefix}${table.name}`),
          visible: `${prefix}transformer.visible`,
          first: `${prefix}transformer.first`,
          last: `${prefix}transformer.last`,
          mask: `${prefix}transformer.mask`,
          buckets: `${prefix}transformer.buckets`,
        },
        padding: architecture.padding,
        buckets: architecture.distanceBuckets,
      },
      ...(features?.specs({ file: names.vocabulary }) ?? []),
    ],
    flops: (batch) => forwardFlops(architecture, batch) + contextFlops(settings, architecture, batch),
    files: () => ({
      [fileNames.config]: config,
      [fileNames.tokeniser]: tokeniser.json,
      ...(characters && { [fileNames.vocabulary]: JSON.stringify(characters) }),
    }),
  };
}

/** Models that were saved before there was such an LSTM have none. */
function contextUnits({ context }: TransformerSettings): number {
  return typeof context === "number" ? context : 0;
}

/** Multiply–add operations ×2 of the LSTM over words. */
function contextFlops(settings: TransformerSettings, { hidden }: Architecture, { feeds }: EncoderBatch): number {
  const units = contextUnits(settings);
  const { charFilters, shapeWidth } = settings.featureSettings;
  const width = hidden + (settings.features ? charFilters + shapeWidth : 0);
  const [batch, time] = feeds["transformer.mask"]!.shape as [number, number];
  return 2 * 2 * batch * time * 4 * units * (width + units);
}

function layoutOptions(
  settings: TransformerSettings,
  architecture: Architecture,
  tokeniser: SubwordTokeniser,
): LayoutOptions {
  const { window, overlap } = settings;
  const { positions } = architecture;
  const special = tokeniser.before.length + tokeniser.after.length;
  const length = window ?? positions;
  if (length <= special || length > positions) {
    throw new InputError(
      `transformer encoder: window must be a number of sub-words from ${special + 1} to ${positions}, got ${length}`,
    );
  }
  const capacity = length - special;
  return { tokeniser, capacity, overlap: Math.floor(overlap * capacity) };
}
