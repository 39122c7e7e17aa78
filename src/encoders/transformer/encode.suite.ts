import { expect } from "vitest";
import { type Noise, ParameterStore, Parameters } from "../../nn/index.ts";
import { type Data, input, Program } from "../../tensor/index.ts";
import { type Sentence, tokenCount } from "../../text/index.ts";
import type { Encoder } from "../encoder.ts";
import { type TransformerSettings, transformerSettings } from "./index.ts";

export const plain = settings({ features: false });

export function settings(changes: Partial<TransformerSettings>): TransformerSettings {
  return transformerSettings.parse(changes);
}

export interface Vectors {
  /** For each sentence, for each token. */
  readonly first: number[][][];
  readonly last: number[][][];
}

/** Runs the encoder; with keys, as in training. */
export async function encode(
  encoder: Encoder,
  sentences: readonly Sentence[],
  keys?: readonly number[],
  questions = false,
): Promise<Vectors> {
  const params = new Parameters();
  const noise: Noise | undefined = keys && { keys: input("keys", "int32", ["batch"]) };
  const { first, last, mask } = encoder.build(params, { noise, questions });
  const store = new ParameterStore(params.specs).initialise(1);
  const program = await Program.compile({ first, last, mask });
  const fed = keys && { keys: { data: Int32Array.from(keys), shape: [keys.length] } };
  const results = await program.run({ ...encoder.batch(sentences).feeds, ...store.tensors(), ...fed });
  await program.dispose();
  const counts = sentences.map(tokenCount);
  const [, time] = results.mask!.shape as [number, number];
  const filled = counts.flatMap((count) => Array.from({ length: time }, (_, i) => (i < count ? 1 : 0)));
  expect([...results.mask!.data]).toEqual(filled);
  return { first: split(results.first!, counts), last: split(results.last!, counts) };
}

function split({ data, shape }: Data, counts: readonly number[]): number[][][] {
  const [, time, width] = shape as [number, number, number];
  return counts.map((count, b) =>
    Array.from({ length: count }, (_, i) =>
      Array.from(data.subarray((b * time + i) * width, (b * time + i + 1) * width)),
    ),
  );
}

export function expectClose(
  actual: readonly number[],
  expected: readonly number[],
  tolerance: number,
  what: string,
): void {
  expect(actual.length, what).toBe(expected.length);
  const worst = Math.max(...expected.map((number, i) => Math.abs(number - actual[i]!)));
  expect(worst, what).toBeLessThanOrEqual(tolerance);
}
