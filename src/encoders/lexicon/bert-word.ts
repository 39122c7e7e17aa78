import { z } from "zod";
import { bilstm, dropout } from "../../nn/index.ts";
import { concat, input } from "../../tensor/index.ts";
import { type Sentence, tokenCount } from "../../text/index.ts";
import type { Encoder, EncoderBatch } from "../encoder.ts";
import { type EncoderKind, pretrainedFrom } from "../kind.ts";
import { openBody, restoreBody, type TransformerBody, transformerSettings } from "../transformer/body.ts";
import { wordStates } from "../transformer/graph.ts";
import { wordAttention } from "./word-attention.ts";
import { wordBatch, wordsAt, wordsAtSpec } from "./word-rows.ts";
import { openWords, restoreWords, type Words, wordSettings } from "./words.ts";

export const bertWordSettings = z.strictObject({
  name: z.literal("bert-word"),
  /** A Hugging Face directory, or an installed package that holds one. */
  from: pretrainedFrom,
  /** Units of the LSTM in each direction. */
  units: z.int().min(1).default(200),
  /** Dropout of the vectors that the LSTM reads. */
  dropout: z.number().min(0).lt(1).default(0.3),
  transformer: transformerSettings.prefault({}),
  words: wordSettings.prefault({}),
});
export type BertWordSettings = z.output<typeof bertWordSettings>;

export const bertWordKind = {
  name: "bert-word",
  usage: "bert-word:DIR",
  description: "a pretrained model's vectors joined with the words of a lexicon, then an LSTM, for Chinese",
  settings: bertWordSettings,
  open: loadBertWord,
  restore: restoreBertWord,
} satisfies EncoderKind<BertWordSettings>;

/**
 * BERT+Word, the model beside which Liu et al. (2021) put LEBERT: the vector of each token by a pretrained model, joined
 * with the words of a lexicon that contain the token, through a bidirectional LSTM.
 */
async function loadBertWord(
  settings: BertWordSettings,
  sentences: readonly Sentence[],
  seed: number,
): Promise<Encoder> {
  const body = await openBody(settings.from, sentences, settings.transformer);
  return assemble(body, await openWords(sentences, settings.words, seed), settings);
}

/** The encoder of a saved model; its weights are zero until they are read. */
function restoreBertWord(settings: BertWordSettings, files: Readonly<Record<string, string>>): Encoder {
  return assemble(restoreBody(settings.transformer, files), restoreWords(settings.words, files), settings);
}

function assemble(body: TransformerBody, words: Words, settings: BertWordSettings): Encoder {
  return {
    name: "bert-word",
    settings: { ...settings, transformer: body.settings, words: words.settings },
    tables: [body.table, words.table],
    pretrained: [body.pretrained],
    size: (sentence) => body.size(sentence),
    batch(sentences) {
      const own = body.batch(sentences, body.layOut(sentences));
      const [, time] = own.feeds["transformer.mask"]!.shape;
      const rows = sentences.map((sentence) => ({
        matches: words.find(sentence),
        tokens: Int32Array.from({ length: tokenCount(sentence) }, (_, i) => i),
      }));
      const found = wordBatch(words, rows, time!);
      return { lookups: [...own.lookups, ...found.lookups], feeds: { ...own.feeds, ...found.feeds } };
    },
    build(params, context) {
      const mask = body.mask();
      const states = wordStates(body.states(params, context), "first");
      const vectors = input(words.table.name, "float32", ["batch", "matches", words.table.width]);
      const at = input(wordsAt, "float32", ["batch", "time", "matches"]);
      const mixed = wordAttention(params, "bert-word.attention", states, vectors, at);
      const joined = concat([states, mixed, ...body.beside(params)], -1);
      const dropped = dropout(joined, settings.dropout, context.noise, "bert-word.joined");
      const vectorsOfTokens = bilstm(params, "bert-word.lstm", dropped, mask, settings.units);
      return { first: vectorsOfTokens, last: vectorsOfTokens, mask };
    },
    flops: (batch) => body.flops(batch) + ownFlops(body, words, settings, batch),
    files: () => ({ ...body.files(), ...words.files() }),
    portable: async () => ({ inputs: [...body.specs(), wordsAtSpec(words, "tokens")] }),
  };
}

/** Multiply–add operations ×2 of attention and LSTM. */
function ownFlops(body: TransformerBody, words: Words, { units }: BertWordSettings, { feeds }: EncoderBatch): number {
  const [batch, time, count] = feeds[wordsAt]!.shape as [number, number, number];
  const { hidden } = body.architecture;
  const { width } = words.table;
  const attention = count * hidden * width + time * count * (hidden + width);
  const { charFilters, shapeWidth } = body.settings.featureSettings;
  const joined = hidden + width + (body.settings.features ? charFilters + shapeWidth : 0);
  return 2 * batch * (attention + time * 2 * 4 * units * (joined + units));
}
