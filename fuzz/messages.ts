import type { Verdict } from "./judge.ts";

/** What a worker is to do. */
export type Order = {
  readonly target: string;
  readonly scratch: string;
} & (
  | {
      readonly kind: "many";
      readonly seed: number;
      readonly first: number;
      readonly end: number;
      readonly milliseconds: number;
      /** Bytes of the process at which it starts anew, after the last input has been looked at alone. */
      readonly memory: number;
    }
  | { readonly kind: "one"; readonly input: string; readonly variant: number }
  /** Gives back an input, as it is or made small. */
  | { readonly kind: "input"; readonly seed: number; readonly number: number }
  | { readonly kind: "minimise"; readonly seed: number; readonly number: number; readonly signature: string }
);

export interface Counts {
  readonly accepted: number;
  readonly refused: number;
}

export type FromWorker =
  /** An input is begun; with what became of those before it. */
  | { readonly kind: "begin"; readonly number: number; readonly counts: Counts }
  | { readonly kind: "verdict"; readonly number: number; readonly verdict: Verdict }
  | { readonly kind: "large"; readonly number: number }
  | { readonly kind: "input"; readonly input: string; readonly variant: number }
  | { readonly kind: "done"; readonly next: number; readonly counts: Counts }
  | { readonly kind: "broken"; readonly reason: string };
