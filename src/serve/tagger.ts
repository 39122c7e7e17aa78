import type { Decoding, TaggedEntity } from "../inference/index.ts";

/** A text to tag, and how its entities are decoded where that differs from how the model was trained. */
export interface TagJob {
  readonly text: string;
  readonly decode: Partial<Decoding>;
}

export interface Tagged {
  readonly entities: readonly TaggedEntity[];
  readonly tokens: number;
}

/** What went through a model at once. */
export interface BatchRecord {
  readonly texts: number;
  readonly tokens: number;
  readonly seconds: number;
}

/** A model at work, in this process or in one of its own. */
export interface Tagger {
  readonly types: readonly string[];
  /** Characters that it has been given and not answered. */
  readonly load: number;
  /** Rejects with the reason of the signal when that is aborted; the text is then given up. */
  tag(job: TagJob, signal: AbortSignal): Promise<Tagged>;
  /** Answers what it was given, then frees the model. Nothing may be given to it any more. */
  close(): Promise<void>;
}

/** How texts of different clients come together. */
export interface BatchOptions {
  /** Milliseconds that the first text of a batch waits for others. */
  readonly wait: number;
  /** Tokens that go through the model at once, about. */
  readonly tokens: number;
}

/** How a model is opened. */
export interface ModelOptions {
  readonly directory: string;
  readonly parts?: Readonly<Record<string, string>> | undefined;
  readonly threads?: number | undefined;
  readonly batch: BatchOptions;
}

/** The model is not there: its process has ended, and a new one is not ready yet. */
export class ModelUnavailable extends Error {
  constructor() {
    super("the model is being started again");
  }
}

/** The model could not tag a text. Says nothing of it: messages may quote texts and paths. */
export class TaggingFailed extends Error {
  constructor() {
    super("the model cannot tag this text");
  }
}
