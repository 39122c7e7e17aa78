import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { Initialiser } from "../../nn/index.ts";
import { concat, input, type Tensor } from "../../tensor/index.ts";
import type { Sentence } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Encoder, Table } from "../encoder.ts";
import { findPretrained } from "../pretrained.ts";
import { mostlySingleCharacters } from "../token-vectors.ts";
import { characterVocabulary, wordFeatureSettings, wordFeatures } from "../word-features.ts";
import { type LayoutOptions, layOut, layoutBatch } from "./batch.ts";
import { openCheckpoint } from "./checkpoint.ts";
import { type Architecture, parseArchitecture } from "./config.ts";
import { forwardFlops, states, wordStates } from "./graph.ts";
import { type SubwordTokeniser, subwordTokeniser } from "./tokeniser.ts";
import { declareWeights, type Weight, wordTable } from "./weights.ts";

export const transformerSettings = z.strictObject({
  /** Dropout of the model's own layers in training; as its config says when null. */
  dropout: z.number().min(0).lt(1).nullable().default(null),
  attentionDropout: z.number().min(0).lt(1).nullable().default(null),
  /** Sub-words in a window, the special ones included; as many as the model has positions when null. */
  window: z.int().min(1).nullable().default(null),
  /** The share of a window that the next one repeats, for sentences that need several. */
  overlap: z.number().min(0).lt(1).default(0.25),
  /** Characters and shapes of words beside the model's vectors; by default for models that do not see capitals. */
  features: z.union([z.literal("auto"), z.boolean()]).default("auto"),
  featureSettings: wordFeatureSettings.prefault({}),
});
export type TransformerSettings = z.output<typeof transformerSettings>;

/** What an encoder is made of, wherever it comes from. */
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

const fileNames = { config: "transformer.json", tokeniser: "tokenizer.json", vocabulary: "vocabulary.json" } as const;

/**
 * A pretrained model of the BERT family as an encoder: a Hugging Face directory, or an installed package that holds
 * one. The training sentences say which characters word features know.
 */
export async function loadTransformer(
  nameOrDirectory: string,
  sentences: Iterable<Sentence>,
  settings: TransformerSettings = transformerSettings.parse({}),
): Promise<Encoder> {
  const found = await findPretrained(nameOrDirectory);
  const config = await readFile(found.config, "utf8");
  const architecture = parseArchitecture(config, found.config);
  const tokeniser = subwordTokeniser(await readFile(found.tokeniser, "utf8"), found.tokeniser);
  if (tokeniser.size > architecture.vocabulary) {
    const rule = `has ids up to ${tokeniser.size - 1}, but the model knows ${architecture.vocabulary} sub-words`;
    throw new InputError(rule, { file: found.tokeniser });
  }
  const { words, initialiserOf } = openCheckpoint(found.weights, architecture);
  const all = [...sentences];
  const features = settings.features === "auto" ? tokeniser.uncased && !mostlySingleCharacters(all) : settings.features;
  const characters = features ? characterVocabulary(all).entries : null;
  const complete = { ...settings, features };
  return assemble({ settings: complete, architecture, tokeniser, characters, words, initialiserOf, config });
}

/** The encoder of a saved model; its weights are zero until they are read. */
export function restoreTransformer(settings: TransformerSettings, saved: Readonly<Record<string, string>>): Encoder {
  const file = (name: string): string => {
    const text = saved[name];
    if (text === undefined) throw new InputError(`transformer encoder: the model has no file ${name}`);
    return text;
  };
  const config = file(fileNames.config);
  const architecture = parseArchitecture(config, fileNames.config);
  const tokeniser = subwordTokeniser(file(fileNames.tokeniser), fileNames.tokeniser);
  const characters = settings.features ? (JSON.parse(file(fileNames.vocabulary)) as string[]) : null;
  const words = new Float32Array(architecture.vocabulary * architecture.embedding);
  return assemble({ settings, architecture, tokeniser, characters, words, config });
}

function assemble({ settings, architecture, tokeniser, characters, words, initialiserOf, config }: Parts): Encoder {
  const table: Table = { name: wordTable.name, width: architecture.embedding, values: words, trainable: true };
  const layout = layoutOptions(settings, architecture, tokeniser);
  const features = characters && wordFeatures(characters, settings.featureSettings);
  const rates = {
    dropout: settings.dropout ?? architecture.dropout,
    attentionDropout: settings.attentionDropout ?? architecture.attentionDropout,
  };
  return {
    name: "transformer",
    settings: { ...settings },
    tables: [table],
    pretrained: ["transformer."],
    flops: (batch) => forwardFlops(architecture, batch),
    batch(sentences) {
      const { feeds, lookups } = layoutBatch(layOut(sentences, layout), table, architecture.padding);
      const [, time] = feeds["transformer.mask"]!.shape;
      return { lookups, feeds: { ...feeds, ...features?.batch(sentences, time!) } };
    },
    build(params, context) {
      const weights = declareWeights(params, architecture, initialiserOf);
      const all = states(params, weights, architecture, rates, context);
      const beside = features ? [features.build(params)] : [];
      const vectors = (which: "first" | "last"): Tensor => concat([wordStates(all, which), ...beside], -1);
      const mask = input("transformer.mask", "float32", ["batch", "time"]);
      return { first: vectors("first"), last: vectors("last"), mask };
    },
    files: () => ({
      [fileNames.config]: config,
      [fileNames.tokeniser]: tokeniser.json,
      ...(characters && { [fileNames.vocabulary]: JSON.stringify(characters) }),
    }),
  };
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
