import { z } from "zod";
import { type EncoderSettings, encoderInput } from "../encoders/index.ts";
import type { heads } from "../heads/index.ts";
import { decodeSettings, type InferenceSettings, inferences } from "../inference/index.ts";
import { contrastiveSettings, type ObjectiveSettings } from "../objectives/index.ts";
import type { SamplerSettings } from "../samplers/index.ts";
import type { RuntimeOptions } from "../tensor/index.ts";
import { type PartSettings, partSettings } from "../util/parts.ts";
import { annealingSettings } from "./annealing.ts";
import { ensembleSettings } from "./ensemble-settings.ts";
import { builtInParts, type Parts } from "./parts.ts";

/** The settings of any head: `name` tells which. */
export type HeadSettings = PartSettings<typeof heads>;

/**
 * Every setting of a training run with these parts. What is not given has the default that stands here or beside the
 * code that uses it. A method may add sections of its own.
 */
export function settingsSchema({ samplers, objectives, heads: known, encoders }: Parts) {
  return z.strictObject({
    /** How text that nobody labelled is treated: one of the methods below. Without it, the one that the head recommends. */
    method: z.string().default("uniform"),
    /** The reading of the method: `recommended`, or where they differ `paper` and `code` for what was published. */
    preset: z.string().default("recommended"),
    /** By its name alone, `bilstm` or `transformer:DIR`, or with its options. */
    encoder: z.preprocess(encoderInput, encoderUnion(encoders)).prefault({ name: "bilstm" }),
    /** Labels of ordinary words, which stand in lower case elsewhere without a label, train (`keep`) or are taken away (`drop`). */
    ordinary: z.enum(["keep", "drop"]).default("keep"),
    /** Seed of every random choice: the same seed gives the same weights. */
    seed: z.int().default(1),
    /** Passes over the training data at most. */
    epochs: z.int().min(1).default(20),
    /** Which state becomes the model: the `best` on dev, or the `last`, for which dev only chooses the shift. */
    keep: z.enum(["best", "last"]).default("best"),
    /** Stop after this many evaluations without a better result on dev; 0 never stops early. */
    patience: z.int().min(0).default(5),
    /** Evaluations on dev per epoch. */
    evaluations: z.int().min(1).default(1),
    /** Stop after this many minutes; 0 is no limit. Where such a run stops depends on the machine. */
    minutes: z.number().min(0).default(0),
    /** Several models, distilled into one. */
    ensemble: ensembleSettings.prefault({}),
    /** Tokens in a batch, padding included; a transformer counts sub-words. */
    batchTokens: z.int().min(1).default(512),
    /** `adamw` is Adam with decoupled weight decay, `sgd` plain gradient descent. */
    optimiser: z.enum(["adamw", "sgd"]).default("adamw"),
    /** Learning rate of everything that is not pretrained. */
    rate: z.number().positive().default(1e-3),
    /** Learning rate of pretrained transformer weights. */
    encoderRate: z.number().positive().default(5e-5),
    /** Weight decay. */
    decay: z.number().min(0).default(0.01),
    /** `linear` lowers the learning rate to 0 over all epochs; `constant` keeps it. */
    schedule: z.enum(["constant", "linear"]).default("linear"),
    /** The share of all steps over which the learning rate rises from 0. */
    warmup: z.number().min(0).lt(1).default(0.1),
    /** Learning rates that fall when dev stalls, on top of the schedule. */
    annealing: annealingSettings.prefault({}),
    /** Gradients with a larger norm are scaled down to it. */
    clip: z.number().positive().default(5),
    /** Which unknown spans serve as negatives. */
    sampler: partSettings(samplers) as z.ZodType<SamplerSettings>,
    /** How scores and targets become the loss. */
    objective: partSettings(objectives) as z.ZodType<ObjectiveSettings>,
    /** A loss beside the objective that pulls spans of one label together. */
    contrastive: contrastiveSettings.prefault({}),
    /** `span` classifies spans, `token` gives each token a tag, `mrc` asks for each type, `autoner` ties tokens together. */
    head: (partSettings(known, "span") as z.ZodType<HeadSettings>).prefault({ name: "span" } as never),
    decode: decodeSettings.prefault({}),
    /** How spans get their labels in prediction. */
    inference: (partSettings(inferences) as z.ZodType<InferenceSettings>).prefault("plain" as never),
    /** Threads within an op; 0 takes all cores. Results do not depend on it. */
    threads: z.int().min(0).default(0),
    /** What computes; devices other than `cpu` must be there. */
    device: z.enum(["cpu", "webgpu", "cuda", "coreml"]).default("cpu"),
  });
}
export type SettingsSchema = ReturnType<typeof settingsSchema>;
export type Settings = z.output<SettingsSchema>;

export const builtInSchema: SettingsSchema = settingsSchema(builtInParts);

/** The schemas of encoders hold their names already. */
function encoderUnion(encoders: Parts["encoders"]): z.ZodType<EncoderSettings> {
  const schemas = Object.values(encoders).map(({ settings }) => settings);
  return z.discriminatedUnion("name", schemas as never) as unknown as z.ZodType<EncoderSettings>;
}

export function runtimeOf({ device, threads }: Pick<Settings, "device" | "threads">): RuntimeOptions {
  return { device, ...(threads > 0 && { threads }) };
}
