import { z } from "zod";
import { dropout, linear, type Noise, normalise, type Parameters } from "../../nn/index.ts";
import { add, input, type Tensor, tanh } from "../../tensor/index.ts";
import type { Sentence } from "../../text/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Encoder, EncoderBatch } from "../encoder.ts";
import { type EncoderKind, pretrainedFrom } from "../kind.ts";
import { openBody, restoreBody, type TransformerBody, transformerSettings } from "../transformer/body.ts";
import { wordAttention } from "./word-attention.ts";
import { wordBatch, wordsAt, wordsAtSpec } from "./word-rows.ts";
import { openWords, restoreWords, type Words, wordSettings } from "./words.ts";

export const lebertSettings = z.strictObject({
  name: z.literal("lebert"),
  /** A Hugging Face directory, or an installed package that holds one. */
  from: pretrainedFrom,
  /** The layer of the model, from 1, behind which words come in. */
  layer: z.int().min(1).default(1),
  /** Dropout of the states that words were added to. */
  dropout: z.number().min(0).lt(1).default(0.1),
  transformer: transformerSettings.prefault({}),
  words: wordSettings.prefault({}),
});
export type LebertSettings = z.output<typeof lebertSettings>;

export const lebertKind = {
  name: "lebert",
  usage: "lebert:DIR",
  description: "a pretrained model that meets the words of a lexicon between its layers, for Chinese",
  settings: lebertSettings,
  open: loadLebert,
  restore: restoreLebert,
} satisfies EncoderKind<LebertSettings>;

/**
 * LEBERT (Liu et al. 2021): a pretrained model that meets the words of a lexicon between two of its layers, so that the
 * later layers read characters and words together.
 */
async function loadLebert(settings: LebertSettings, sentences: readonly Sentence[], seed: number): Promise<Encoder> {
  const { from, layer, transformer, words } = settings;
  const body = await openBody(from, sentences, transformer);
  const { layers } = body.architecture;
  if (layer > layers)
    throw new InputError(`lebert encoder: layer must be one of the model's, from 1 to ${layers}, got ${layer}`);
  return assemble(body, await openWords(sentences, words, seed), settings);
}

/** The encoder of a saved model; its weights are zero until they are read. */
function restoreLebert(settings: LebertSettings, files: Readonly<Record<string, string>>): Encoder {
  return assemble(restoreBody(settings.transformer, files), restoreWords(settings.words, files), settings);
}

function assemble(body: TransformerBody, words: Words, settings: LebertSettings): Encoder {
  return {
    name: "lebert",
    settings: { ...settings, transformer: body.settings, words: words.settings },
    tables: [body.table, words.table],
    pretrained: [body.pretrained],
    size: (sentence) => body.size(sentence),
    batch: (sentences) => batchOf(body, words, sentences),
    build(params, context) {
      const vectors = input(words.table.name, "float32", ["windows", "matches", words.table.width]);
      const at = input(wordsAt, "float32", ["windows", "pieces", "matches"]);
      const all = body.states(params, context, (states, layer, noise) =>
        layer === settings.layer ? adapter(params, "lebert", states, vectors, at, settings.dropout, noise) : states,
      );
      return body.encoded(params, all, context);
    },
    flops: (batch) => body.flops(batch) + adapterFlops(body, words, batch),
    files: () => ({ ...body.files(), ...words.files() }),
    portable: async () => ({ inputs: [...body.specs(), wordsAtSpec(words, body.layout())] }),
  };
}

function batchOf(body: TransformerBody, words: Words, sentences: readonly Sentence[]): EncoderBatch {
  const layout = body.layOut(sentences);
  const own = body.batch(sentences, layout);
  const [, pieces] = own.feeds["transformer.visible"]!.shape;
  const matches = sentences.map((sentence) => words.find(sentence));
  const rows = layout.rows.map((row) => ({ matches: matches[row.sentence]!, tokens: row.words }));
  const found = wordBatch(words, rows, pieces!);
  return { lookups: [...own.lookups, ...found.lookups], feeds: { ...own.feeds, ...found.feeds } };
}

/**
 * Adds to each state `[rows, positions, hidden]` the words that stand there: their vectors come to the model's width by two
 * layers and are weighted by a bilinear attention.
 */
export function adapter(
  params: Parameters,
  name: string,
  states: Tensor,
  vectors: Tensor,
  at: Tensor,
  rate: number,
  noise: Noise | undefined,
): Tensor {
  const hidden = states.shape.at(-1) as number;
  const words = linear(params, `${name}.outer`, tanh(linear(params, `${name}.inner`, vectors, hidden)), hidden);
  const sum = add(states, wordAttention(params, `${name}.attention`, states, words, at));
  return normalise(params, `${name}.norm`, dropout(sum, rate, noise, `${name}.sum`));
}

/** Multiply–add operations ×2 of the adapter. */
function adapterFlops(body: TransformerBody, words: Words, { feeds }: EncoderBatch): number {
  const [rows, positions, count] = feeds[wordsAt]!.shape as [number, number, number];
  const { hidden } = body.architecture;
  return 2 * rows * count * hidden * (words.table.width + 2 * hidden + 2 * positions);
}
