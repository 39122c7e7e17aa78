import type { Document, OffsetUnit, Scheme } from "../text/index.ts";
import type { Source } from "./source.ts";

/** What unlabelled text means in a format that cannot say it: nobody looked, or looked and found no entity. */
export type Silence = "unknown" | "negative";

export interface ReadOptions {
  /** A name of the table in `index.ts`; found from the file's name and its beginning when missing. */
  readonly format?: string | undefined;
  /** Default `unknown`: no reader turns silence into a negative on its own. */
  readonly silence?: Silence | undefined;
  /** The scheme of the tags. Any scheme is understood without it; `strict` checks against it or the one detected. */
  readonly scheme?: Scheme | undefined;
  /** Refuse what is read leniently otherwise: invalid tag sequences, repeated annotations, spans that begin or end in white space. */
  readonly strict?: boolean | undefined;
  /** Refuse entities that overlap, for a caller that cannot use them. */
  readonly flat?: boolean | undefined;
  /** Names of integer tags, in order. */
  readonly labels?: readonly string[] | undefined;
  /** How the file counts characters, where it does not follow the habit of its format. */
  readonly offsets?: OffsetUnit | undefined;
  /** Take the predictions of a task as entities even where a person annotated it. */
  readonly candidates?: boolean | undefined;
  /** How a text file is encoded, by a name of the Encoding Standard. Default UTF-8; a byte-order mark goes before it. */
  readonly encoding?: string | undefined;
  /** The key of a task that holds its text, where projects choose it (Label Studio). */
  readonly textKey?: string | undefined;
  /** Told of each thing in a file that cannot be read as it is meant: `relations passed over`, and an example of it. */
  readonly onNotice?: ((what: string, example: string) => void) | undefined;
}

export interface WriteOptions {
  /** A name of the table in `index.ts`; found from the file's name when missing. */
  readonly format?: string | undefined;
  /** What unlabelled text will mean to the reader of the file; to get the same documents back, read with the same value. */
  readonly silence?: Silence | undefined;
  /** The scheme of the tags; default IOB2. */
  readonly scheme?: Scheme | undefined;
  /** Write tags as places in this list. */
  readonly labels?: readonly string[] | undefined;
  /** Default `error`: what the format cannot express stops the writing. With `list` it is left out and reported. */
  readonly onLoss?: "error" | "list" | undefined;
  /** Told of each document as it is written, without what the format cannot express. */
  readonly onWritten?: ((document: Document) => void) | undefined;
}

/** One thing that a format cannot express. */
export interface Limit {
  /** What is lost, as a plural: `scores`, `overlapping entities`. */
  readonly what: string;
  /** Says nothing about the annotation: listed, but never a reason to stop. */
  readonly minor?: boolean;
  /** It stays in the file, but who reads the file must ask for it: noted, and no reason to refuse. */
  readonly onRequest?: boolean;
  /** The part of a document that remains; `lose` is told of each thing that does not. */
  reduce(document: Document, lose: Lose, options: WriteOptions): Document | readonly Document[];
}

/** Takes note of something lost, with a short description of it for the first example. */
export type Lose = (example: () => string) => void;

interface FormatBase {
  readonly name: string;
  readonly title: string;
  /** The keys that tell a format of JSON, for messages. */
  readonly shape?: string;
  /** File endings that mean this format and no other. */
  readonly extensions: readonly string[];
  /** What unlabelled text means, in a sentence for the documentation and for messages. */
  readonly silence: string;
  /** What it cannot express, in the order in which documents are reduced to what it can. */
  readonly limits: readonly Limit[];
  /** Whether the beginning of an input looks like this format. */
  recognises(sample: Sample): boolean;
  read(source: Source, options: ReadOptions): AsyncGenerator<Document, void, undefined>;
}

/** A format that is one stream of characters. */
export interface FileFormat extends FormatBase {
  readonly storage: "file";
  /**
   * Where a file may be cut into files of the same format, which may be joined again: after any line, or before a line
   * that begins a JSON object. Missing where what a part means or how it is written depends on other parts.
   */
  readonly cut?: "line" | "object";
  /** Pieces of text; documents hold nothing beyond the limits. */
  write(documents: AsyncIterable<Document>, options: WriteOptions): AsyncGenerator<string, void, undefined>;
}

/** A format of several files in a folder. */
export interface FolderFormat extends FormatBase {
  readonly storage: "folder";
  /** Whether the names in a folder look like this format. */
  recognisesFolder(names: readonly string[]): boolean;
  write(documents: AsyncIterable<Document>, options: WriteOptions): AsyncGenerator<NamedFile, void, undefined>;
}

/** A format of bytes that is read and not written. */
export interface BinaryFormat extends FormatBase {
  readonly storage: "binary";
  /** The format to write instead. */
  readonly instead: string;
}

export interface NamedFile {
  readonly name: string;
  readonly content: string;
}

export type Format = FileFormat | FolderFormat | BinaryFormat;

/** The beginning of an input, for telling formats apart. */
export interface Sample {
  /** The ending of its name, in small letters; empty where there is none. */
  readonly extension: string;
  readonly head: string;
  /** The same as it stands in the file. */
  readonly bytes: Buffer;
  /** Keys of the first JSON object, when the input begins like JSON. */
  readonly keys: ReadonlySet<string> | undefined;
}
