import type { BatchRecord, ModelOptions, Tagged, TagJob } from "./tagger.ts";

/** What the server says to the process of a model. */
export type Order =
  | { readonly kind: "open"; readonly options: ModelOptions }
  | { readonly kind: "tag"; readonly id: number; readonly job: TagJob }
  /** Nobody waits for the answer any more. */
  | { readonly kind: "give-up"; readonly id: number }
  /** Answer what is there, then end. */
  | { readonly kind: "close" };

/** What it says back. */
export type Reply =
  | { readonly kind: "ready"; readonly types: readonly string[] }
  /** The model cannot be opened; `isInput` where the user can mend it. */
  | { readonly kind: "refused"; readonly reason: string; readonly isInput: boolean }
  | { readonly kind: "tagged"; readonly id: number; readonly tagged: Tagged }
  | { readonly kind: "failed"; readonly id: number }
  | { readonly kind: "batch"; readonly batch: BatchRecord };
