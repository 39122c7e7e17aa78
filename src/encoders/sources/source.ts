import type { z } from "zod";
import type { Parameters } from "../../nn/index.ts";
import type { Tensor } from "../../tensor/index.ts";
import type { Sentence } from "../../text/index.ts";
import type { EncoderBatch, EncoderContext, PortableInputs, Table } from "../encoder.ts";
import type { FeatureStore } from "../features/store.ts";
import type { EncoderSchema, NamedSettings } from "../kind.ts";

/** Vectors of tokens, `[batch, time, width]`: as the first of a span and as the last, where there is a difference. */
export interface SourceVectors {
  readonly first: Tensor;
  readonly last: Tensor;
}

/** Tokens → vectors, as a part of an encoder that joins several. */
export interface Source {
  /** Numbers in the vector of a token. */
  readonly width: number;
  /** Complete settings: with its files they make it again. */
  readonly settings: NamedSettings;
  readonly tables: readonly Table[];
  /** Parameters whose names start so came pretrained. */
  readonly pretrained: readonly string[];
  /** What it computes once for each text, where it does. */
  readonly features?: FeatureStore;
  /** Places that a sentence takes in a row of a batch, where they are more than its tokens. */
  size?(sentence: Sentence): number;
  /** `time` is the number of tokens of the longest sentence. */
  batch(sentences: readonly Sentence[], time: number): EncoderBatch;
  build(params: Parameters, context: EncoderContext): SourceVectors;
  /** Multiply–add operations ×2 of a forward pass. */
  flops(batch: EncoderBatch): number;
  /** What an exported model needs. */
  portable(): Promise<PortableInputs>;
  /** Small files by name, for the model directory. */
  files(): Readonly<Record<string, string>>;
}

/** What a source is told beside its settings. */
export interface SourceContext {
  /** Its name among the sources, such as `words` or, for a second one, `words-2`. Its parameters and files start with it. */
  readonly id: string;
  /** No layer follows that mixes tokens: vectors of the first and the last part of a word count. */
  readonly ends: boolean;
  readonly seed: number;
}

/** What a saved model knows of its sources, and where its user says that parts are. */
export interface SavedSource extends Omit<SourceContext, "seed"> {
  readonly files: Readonly<Record<string, string>>;
  /** Directories of frozen parts by the name of the source. */
  readonly parts: Readonly<Record<string, string>>;
}

/** A source as an entry of the table. */
export interface SourceKind<S extends NamedSettings = NamedSettings> {
  readonly name: string;
  /** How it is written on the command line. */
  readonly usage: string;
  readonly description: string;
  readonly settings: EncoderSchema<S>;
  open(settings: S, sentences: readonly Sentence[], context: SourceContext): Promise<Source>;
  restore(settings: S, saved: SavedSource): Source;
}

/** Settings of a source, from its schema. */
export type SettingsOf<S extends z.ZodType> = z.output<S>;

/** The name of a file or a parameter of a source. */
export function named(id: string, part: string): string {
  return `source.${id}.${part}`;
}
