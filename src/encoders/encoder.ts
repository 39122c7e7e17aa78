import type { InputSpec } from "../inputs/index.ts";
import type { Noise, Parameters } from "../nn/index.ts";
import type { Data, Tensor } from "../tensor/index.ts";
import type { Sentence } from "../text/index.ts";
import type { PrepareOptions } from "./features/frozen-part.ts";

/**
 * A table of vectors that is too large for the graph: rows are looked up outside, fed as an input, and, where they are
 * trained, updated row by row from the gradient of that input.
 */
export interface Table {
  readonly name: string;
  readonly width: number;
  /** `rows * width` numbers; changed in place by training. */
  readonly values: Float32Array;
  readonly trainable: boolean;
}

/** Rows of a table that were fed as the input of this name. */
export interface Lookup {
  readonly table: Table;
  readonly input: string;
  readonly rows: Int32Array;
}

/** A batch as numbers. */
export interface EncoderBatch {
  readonly feeds: Readonly<Record<string, Data>>;
  readonly lookups: readonly Lookup[];
}

/** Vectors of the tokens of a batch. */
export interface Encoded {
  /** `[batch, time, width]`: a token as the first of a span. */
  readonly first: Tensor;
  /** `[batch, time, width]`: a token as the last of a span; the same tensor where the encoder makes no difference. */
  readonly last: Tensor;
  /** `[batch, time]`: 1 for tokens, 0 for padding. */
  readonly mask: Tensor;
}

export interface EncoderContext {
  /** Present in training: dropout. */
  readonly noise?: Noise | undefined;
  /** All sentences have questions before them; encoders that can tell the two apart do. */
  readonly questions?: boolean | undefined;
}

/** A frozen part as a graph: what is otherwise computed once for each text, outside of the model. */
export interface FrozenGraph {
  /** The input of the encoder's graph that it computes. */
  readonly input: string;
  /** A prefix of the names of its own inputs and weights, which other parts may have as well. */
  readonly prefix: string;
  /** What it computes; the program keeps and reads it in half precision. */
  readonly output: Tensor;
  readonly weights: Readonly<Record<string, Data<Float32Array>>>;
  readonly tables: readonly Table[];
}

/** All that a model needs from its encoder to run outside of this program, beside its graph and its tables. */
export interface PortableInputs {
  /** How the inputs are made from text. The rows of a table are looked up in the model: its input is `TABLE.ids`. */
  readonly inputs: readonly InputSpec[];
  readonly frozen?: readonly FrozenGraph[];
  /** Files that descriptions name and that are not among those of the encoder. */
  readonly files?: Readonly<Record<string, string>>;
}

/** The input of an exported model that says which rows of a table are read. */
export function idsOf(table: string): string {
  return `${table}.ids`;
}

/** Tokens → vectors. Padding and the other sentences of a batch do not influence a sentence's vectors. */
export interface Encoder {
  /** Its name in the table of encoders. */
  readonly name: string;
  /** The complete settings, enough to make it again together with its files. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly tables: readonly Table[];
  /** Parameters whose names start with one of these prefixes came pretrained: they take the encoder's learning rate. */
  readonly pretrained: readonly string[];
  /** Multiply–add operations ×2 of a forward pass over so many tokens, for speed as a fraction of the machine's peak. */
  flops(batch: EncoderBatch): number;
  /** Places that a sentence takes in a row of a batch: batches are sorted and measured by it, so that little is padding. */
  size(sentence: Sentence): number;
  /** Computes or finds what never changes. Where it is there, sentences must have been through it before `batch`. */
  prepare?(sentences: readonly Sentence[], options?: PrepareOptions): Promise<void>;
  batch(sentences: readonly Sentence[]): EncoderBatch;
  build(params: Parameters, context: EncoderContext): Encoded;
  /** Small files (vocabulary, tokenizer) by name, kept in the model directory. */
  files(): Readonly<Record<string, string>>;
  /** What an exported model needs; an encoder without it cannot be exported. */
  portable?(): Promise<PortableInputs>;
  /** Frees what preparing holds. */
  dispose?(): Promise<void>;
}
