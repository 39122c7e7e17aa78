import type { RuntimeOptions } from "../../tensor/index.ts";
import type { Sentence } from "../../text/index.ts";

/**
 * Something that gives sentences vectors and never trains: it is computed once for each text. What a sentence gets depends
 * on its tokens alone, to the last bit, not on the sentences beside it.
 */
export interface FrozenPart {
  /** What it is called in messages and folders, such as `charlm`. */
  readonly name: string;
  /** Tells parts apart by all that their vectors depend on: weights, settings, the way they are computed. */
  readonly id: string;
  /** Sentences in the groups in which they are computed, quick ones first. */
  groups(sentences: readonly Sentence[]): Iterable<readonly Sentence[]>;
  /** Fails where the part is missing or another one than expected. */
  check?(): Promise<void>;
  /** Reads the weights and makes ready to compute. */
  open(runtime: RuntimeOptions): Promise<Extractor>;
}

/** A frozen part at work. */
export interface Extractor {
  /** For each sentence its numbers as 16-bit floats, in the order that the part defines. */
  extract(sentences: readonly Sentence[]): Promise<Uint16Array[]>;
  dispose(): Promise<void>;
}

/** How far the computation of frozen parts is. */
export interface FeatureProgress {
  readonly part: string;
  /** Tokens. */
  readonly done: number;
  readonly total: number;
}

export interface PrepareOptions {
  readonly runtime?: RuntimeOptions;
  readonly signal?: AbortSignal | undefined;
  readonly progress?: ((progress: FeatureProgress) => void) | undefined;
  /**
   * The sentences will be asked for again and again, as in training: their vectors go to the cache on disk. Otherwise they
   * are held until the next call.
   */
  readonly keep?: boolean;
}
