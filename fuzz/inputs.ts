import { random } from "../src/util/random.ts";
import { mutate } from "./mutate.ts";
import type { Target } from "./target.ts";

/** Everything that follows from a seed, a target and a number: the same numbers give the same input on every machine. */
export interface FuzzInput {
  readonly bytes: Buffer;
  /** Chooses among the options of a target. */
  readonly variant: number;
}

/** An input of a target. One in a hundred is a seed as it is, which must be accepted or refused like any other. */
export function inputAt(seeds: readonly Buffer[], target: Target, seed: number, number: number): FuzzInput {
  const rng = random(seed, "fuzz", target.name, number);
  const original = seeds[rng.below(seeds.length)]!;
  const bytes = rng.below(100) === 0 ? original : mutate(original, target.shape, rng);
  return { bytes, variant: rng.below(1024) };
}
