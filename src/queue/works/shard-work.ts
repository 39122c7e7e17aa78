import type { Loss, ReadOptions } from "../../formats/index.ts";
import type { Document } from "../../text/index.ts";
import type { Block } from "../blocks.ts";

export interface WorkOptions {
  readonly threads: number;
}

/** Something that is done to documents, shard by shard, whichever machine does it. */
export interface ShardWork {
  /** Opens what every shard needs. Settings are plain JSON, and refused where they are not those of this work. */
  open(settings: unknown, options: WorkOptions): Promise<OpenedWork>;
  /** The files that the settings name, or that are in a folder they name: what a machine must have beside the shard. */
  files(settings: unknown): Promise<readonly string[]>;
}

/** Ready for any number of shards, one after the other. */
export interface OpenedWork {
  /** How the documents are to be read. */
  readonly reading: ReadOptions;
  /** What becomes of blocks of documents of a format: a pure function of them, block by block. */
  pieces(blocks: AsyncIterable<Block>, options: PiecesOptions): Output;
  close(): Promise<void>;
}

export interface PiecesOptions {
  /** What the documents were read from. */
  readonly format: string;
  /** Is told of each document as it is written. */
  readonly seen: (document: Document) => void;
}

/** Pieces of text to be written, and after them what had to be left out. */
export interface Output {
  readonly pieces: AsyncIterable<string>;
  losses(): readonly Loss[];
}
