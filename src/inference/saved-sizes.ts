import { InputError } from "../util/errors.ts";
import type { SafetensorsFile } from "../util/safetensors.ts";

/** Numbers of a configuration that have nothing to do with weights, such as limits on lengths, stay below this. */
const harmless = 1_000_000;

/** Limits of what training chose, at any height: nothing is made from them any more. */
const limits = /(^|\.)(pretrainedWords|minimumCount)$/;

/**
 * Refuses a configuration whose sizes cannot be those of the weights, before anything is made from it: no size is larger
 * than the number of weights, and no model has more layers than tensors. Shapes are checked later, one by one.
 */
export function assertSizesFit(settings: unknown, weights: SafetensorsFile, file: string): void {
  const numbers = weights.names.reduce(
    (sum, name) => sum + weights.shape(name).reduce((product, size) => product * size, 1),
    0,
  );
  const most = Math.max(harmless, numbers);
  for (const [path, value] of numbersIn(settings, "")) {
    if (limits.test(path)) continue;
    const limit = /layers$/i.test(path) ? weights.names.length : most;
    if (Math.abs(value) > limit) {
      throw new InputError(
        `${path} is ${value}, but the weights hold ${numbers} numbers in ${weights.names.length} tensors`,
        { file },
      );
    }
  }
}

function* numbersIn(value: unknown, path: string): Generator<[path: string, value: number]> {
  if (typeof value === "number") yield [path, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* numbersIn(inner, path === "" ? key : `${path}.${key}`);
}
