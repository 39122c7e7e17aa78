/** What a model is fed: numbers with their shape. */
export interface Numbers {
  readonly data: Float32Array | Int32Array;
  readonly shape: readonly number[];
}

/** The inputs of a model by name. */
export type Feeds = Readonly<Record<string, Numbers>>;
