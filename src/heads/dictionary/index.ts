import { z } from "zod";
import { legalChain, Parameters } from "../../nn/index.ts";
import { logSoftmax } from "../../tensor/index.ts";
import { InputError } from "../../util/errors.ts";
import type { Head, Model } from "../head.ts";
import { tagCandidates } from "../token/candidates.ts";
import { tagSet } from "../token/tag-set.ts";
import { tokensOf } from "../token/tokens-of.ts";
import { type DictionaryEncoder, type DictionarySettings, dictionaryReader, readDictionaries } from "./reader.ts";

/** Finds what a dictionary holds: a model without weights. */
export const dictionaryHead: Head<Record<string, never>> = {
  name: "dictionary",
  description: "finds the entries of dictionaries; nothing is trained",
  settings: z.strictObject({}),
  encoder: dictionaryReader,
  open: (encoder, types) => dictionaryModel(encoder as DictionaryEncoder, types),
  train() {
    throw new InputError("head dictionary: has nothing to train; use --method dictionary");
  },
};

/** A dictionary made ready, with the types that it names. */
export async function openDictionary(settings: DictionarySettings): Promise<Model> {
  const encoder = await readDictionaries(settings);
  return dictionaryModel(encoder, encoder.types);
}

function dictionaryModel(encoder: DictionaryEncoder, types: readonly string[]): Model {
  const params = new Parameters();
  const tags = tagSet(types, "bio");
  const chain = legalChain(tags.size, tags.legal);
  return {
    head: "dictionary",
    encoder,
    types,
    labels: tags.names,
    typeOf: tags.typeOf,
    settings: {},
    params,
    facts: [],
    overlap: "flat",
    rigid: "a dictionary says yes or no, and has no score that could be shifted",
    unportable: "a dictionary is looked up, not computed; give the model directory to tag, evaluate or serve",
    items: tokensOf,
    batch: (sentences) => ({ lookups: [], feeds: { ...encoder.batch(sentences).feeds } }),
    prediction() {
      const logProbs = logSoftmax(encoder.build(params, {}).first);
      return { logits: logProbs, logProbs };
    },
    lookUp: (sentence) =>
      encoder
        .entitiesIn(sentence)
        .map(({ start, end, type }) => ({ start, end, label: types.indexOf(type) + 1, score: 0 })),
    candidates: () => tagCandidates(chain, tags, types),
  };
}

export { type DictionarySettings, dictionarySettings } from "./reader.ts";
