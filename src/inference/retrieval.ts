import { z } from "zod";
import type { Batch } from "../models/batch.ts";
import type { SpanModel } from "../models/span-model.ts";
import type { ParameterStore } from "../nn/index.ts";
import type { Sampler } from "../samplers/index.ts";
import { Program, type RuntimeOptions } from "../tensor/index.ts";

const plainSettings = z.strictObject({ name: z.literal("plain") });

const retrievalSettings = z.strictObject({
  name: z.literal("retrieval"),
  /** The weight of what is retrieved, or `dev` to choose it on the dev set after training. */
  alpha: z.union([z.literal("dev"), z.number().min(0).max(1)]).default("dev"),
  mix: z.enum(["prob", "log"]).default("prob"),
});

/** How spans get their labels: by the model alone, or together with the centroids of the labels. */
export const inferenceSettings = z.discriminatedUnion("name", [plainSettings, retrievalSettings]);
export type InferenceSettings = z.output<typeof inferenceSettings>;

/**
 * The mean hidden state of each label, `[labels, hidden]`, over training batches, without dropout. A label that does not
 * occur, because all its entities are too wide, has a vector of zeros, which retrieval leaves out.
 */
export async function labelCentroids(
  model: SpanModel,
  store: ParameterStore,
  batches: Iterable<Batch>,
  {
    sampler,
    epochs,
    runtime,
  }: { readonly sampler: Sampler; readonly epochs: number; readonly runtime?: RuntimeOptions },
): Promise<Float32Array> {
  const labels = model.types.length + 1;
  const width = model.settings.hidden;
  const totals = new Float64Array(labels * width);
  const members = new Float64Array(labels);
  const program = await Program.compile(model.labelSums(sampler, epochs), runtime);
  try {
    for (const { feeds } of batches) {
      const { sums, counts } = await program.run({ ...store.tensors(), ...feeds });
      for (let i = 0; i < totals.length; i++) totals[i]! += sums!.data[i]!;
      for (let label = 0; label < labels; label++) members[label]! += counts!.data[label]!;
    }
  } finally {
    await program.dispose();
  }
  return Float32Array.from(totals, (total, i) => total / Math.max(1, members[Math.floor(i / width)]!));
}
