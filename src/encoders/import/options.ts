import type { Architecture } from "../transformer/config.ts";

export interface ImportOptions {
  /** Where the tokenizer.json is, when not beside the model: a file, a directory or an installed package. */
  readonly tokeniser?: string | undefined;
  /** The other direction of a character language model. */
  readonly with?: string | undefined;
  /** Weights of two bytes instead of four. */
  readonly float16?: boolean | undefined;
}

export interface TransformerReport {
  readonly kind: "transformer";
  readonly model: string;
  readonly tokeniser: string;
  readonly architecture: Architecture;
  /** Numbers in all weights. */
  readonly parameters: number;
  /** The tokenizer kept capitals, of which the vocabulary has none; it lower-cases now. */
  readonly lowercased: boolean;
}

export interface CharacterModelReport {
  readonly kind: "characters";
  readonly forward: string;
  readonly backward: string;
  readonly characters: number;
  readonly hidden: number;
  readonly layers: number;
  readonly parameters: number;
}

export type ImportReport = TransformerReport | CharacterModelReport;
