import { z } from "zod";
import type { Sentence } from "../text/index.ts";
import { InputError, unknownName } from "../util/errors.ts";
import { own } from "../util/own.ts";
import { bilstmKind } from "./bilstm.ts";
import type { Encoder } from "./encoder.ts";
import type { EncoderKind, NamedSettings } from "./kind.ts";
import { bertWordKind } from "./lexicon/bert-word.ts";
import { flatKind } from "./lexicon/flat.ts";
import { lebertKind } from "./lexicon/lebert.ts";
import { migrateSaved } from "./old-settings.ts";
import { savedSettings } from "./saved-file.ts";
import { stackKind } from "./stack.ts";
import { transformerKind } from "./transformer/index.ts";

/** Every encoder by name: what stands before the colon in `--encoder`. A new encoder is one file and one line here. */
export const encoders = {
  bilstm: bilstmKind,
  transformer: transformerKind,
  flat: flatKind,
  "bert-word": bertWordKind,
  lebert: lebertKind,
  stack: stackKind,
} as const;
export type EncoderName = keyof typeof encoders;

type Schemas = { readonly [N in EncoderName]: (typeof encoders)[N]["settings"] };

/** The settings of every encoder: `name` tells which. */
export const encoderSettings = z.discriminatedUnion(
  "name",
  Object.values(encoders).map(({ settings }) => settings) as unknown as [Schemas["bilstm"], ...Schemas[EncoderName][]],
);
export type EncoderSettings = z.output<Schemas[EncoderName]>;

/** Makes the encoder that settings name, for training. */
export function openEncoder(
  settings: NamedSettings,
  sentences: readonly Sentence[],
  seed: number,
  table: EncoderTable = encoders,
): Promise<Encoder> {
  return encoderNamed(settings.name, table).open(settings, sentences, seed);
}

export interface RestoreOptions {
  /** Where large frozen parts are that a saved model only refers to, by the name of the source. */
  readonly parts?: Readonly<Record<string, string>> | undefined;
  readonly table?: EncoderTable;
}

/** The encoder of a saved model, its weights still to be filled in. */
export function restoreEncoder(
  name: string,
  settings: Readonly<Record<string, unknown>>,
  files: Readonly<Record<string, string>>,
  { parts = {}, table = encoders }: RestoreOptions = {},
): Encoder {
  const kind = encoderNamed(name, table);
  const [unused] = Object.keys(parts);
  if (unused !== undefined && !kind.hasParts)
    throw new InputError(`--part: the encoder ${name} holds all it needs, and has no part "${unused}"`);
  // Models of version 0.1 do not say what they were made from.
  const origin = "from" in kind.settings.shape ? { from: "not recorded" } : {};
  return kind.restore(savedSettings(kind.settings, { ...origin, ...migrateSaved(settings), name }), files, parts);
}

/** Encoders by name; each has settings of its own, checked by its schema. */
type EncoderTable = Readonly<Record<string, unknown>>;

export function encoderNamed(name: string, table: EncoderTable = encoders): EncoderKind {
  const kind = own(table, name);
  if (!kind) throw new InputError(`encoder: unknown ${unknownName(name, Object.keys(table))}`);
  return kind as EncoderKind;
}

export { type BilstmSettings, bilstm, bilstmSettings } from "./bilstm.ts";
export { commandForm, encoderInput } from "./command-form.ts";
export {
  type Encoded,
  type Encoder,
  type EncoderBatch,
  type EncoderContext,
  type FrozenGraph,
  idsOf,
  type Lookup,
  type PortableInputs,
  type Table,
} from "./encoder.ts";
export {
  type CachedFile,
  cachedFiles,
  cacheLimit,
  clearCache,
  describeBytes,
  featureFolder,
} from "./features/cache.ts";
export type { FeatureProgress, PrepareOptions } from "./features/frozen-part.ts";
export { type ImportReport, importModel } from "./import/index.ts";
export type { EncoderKind, EncoderSchema, NamedSettings } from "./kind.ts";
export { migrateEncoder } from "./old-settings.ts";
export { savedFile } from "./saved-file.ts";
export { type Source, type SourceKind, sources } from "./sources/index.ts";
export { loadTransformer, type TransformerSettings, transformerSettings } from "./transformer/index.ts";
export type { WordVectors } from "./word-vectors.ts";
