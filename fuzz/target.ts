import type { Shape } from "./mutate.ts";

/** Something that takes bytes from outside. A new one is a line in `targets/index.ts`. */
export interface Target {
  readonly name: string;
  /** How its inputs are built, for mutations that keep them nearly valid. */
  readonly shape: Shape;
  /** Valid inputs, written by the product where it can write them. */
  seeds(scratch: string): Promise<readonly Buffer[]>;
  /**
   * Takes an input: returns when it was accepted and every invariant held, throws an `InputError` when it was refused.
   * Anything else that is thrown is a defect. `scratch` is a folder of its own for each process.
   */
  run(input: Buffer, scratch: string, variant: number): Promise<void>;
  /** How many inputs it gets beside the others, 1 when not given: less for what is slow. */
  readonly weight?: number;
}

/** An invariant that does not hold: the input was accepted, and the result is wrong. */
export class BrokenInvariant extends Error {}

export function ensure(holds: boolean, message: string): asserts holds {
  if (!holds) throw new BrokenInvariant(message);
}

/** Equal as JSON; typed arrays count by their numbers. */
export function ensureEqual(found: unknown, expected: unknown, what: string): void {
  const [a, b] = [found, expected].map((value) => JSON.stringify(value, plain));
  ensure(a === b, `${what} differ: ${a?.slice(0, 300)} and ${b?.slice(0, 300)}`);
}

function plain(_: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) ? Array.from(value as Float32Array) : value;
}
