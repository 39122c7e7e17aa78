import type { Encoder } from "../encoders/index.ts";
import type { Parameters } from "../nn/index.ts";

/** What every kind of model has: enough to save it, to restore it and to speak of it. */
export interface Model {
  /** Its name in the table of kinds. */
  readonly kind: string;
  readonly encoder: Encoder;
  readonly types: readonly string[];
  /** Complete settings: with the encoder and the types they make the same model again. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly params: Parameters;
  /** Rows of the model card. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}
