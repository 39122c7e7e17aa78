import { z } from "zod";
import { type EncoderSettings, encoderInput } from "../encoders/index.ts";
import type { heads } from "../heads/index.ts";
import { decodeSettings, type InferenceSettings, inferences } from "../inference/index.ts";
import { contrastiveSettings, type ObjectiveSettings } from "../objectives/index.ts";
import type { SamplerSettings } from "../samplers/index.ts";
import type { RuntimeOptions } from "../tensor/index.ts";
import { type PartSettings, partSettings } from "../util/parts.ts";
import { annealingSettings } from "./annealing.ts";
import { builtInParts, type Parts } from "./parts.ts";

/** The settings of any head: `name` tells which. */
export type HeadSettings = PartSettings<typeof heads>;

/**
 * Every setting of a training run with these parts. What is not given has the default that stands here or beside the
 * code that uses it. A method may add sections of its own.
 */
export function settingsSchema({ samplers, objectives, heads: known, encoders }: Parts) {
  return z.strictObject({
    method: z.string().default("uniform"),
    /** The reading of the method: `recommended`, or where they differ `paper` and `code` for what was published. */
    preset: z.string().default("recommended"),
    /** By its name alone, `bilstm` or `transformer:DIR`, or with its options. */
    encoder: z.preprocess(encoderInput, encoderUnion(encoders)).prefault({ name: "bilstm" }),
    seed: z.int().default(1),
    epochs: z.int().min(1).default(20),
    /** Which state becomes the model: the `best` on dev, or the `last`, for which dev only chooses the shift. */
    keep: z.enum(["best", "last"]).default("best"),
    /** Stop after so many evaluations without a better result on dev; 0 never stops early. */
    patience: z.int().min(0).default(5),
    /** Evaluations on dev per epoch. */
    evaluations: z.int().min(1).default(1),
    /** Stop after so many minutes; 0 is no limit. A run that was stopped so depends on the machine. */
    minutes: z.number().min(0).default(0),
    /** Tokens in a batch, padding included; a transformer counts sub-words. */
    batchTokens: z.int().min(1).default(512),
    optimiser: z.enum(["adamw", "sgd"]).default("adamw"),
    rate: z.number().positive().default(1e-3),
    /** Learning rate of pretrained transformer weights. */
    encoderRate: z.number().positive().default(5e-5),
    decay: z.number().min(0).default(0.01),
    schedule: z.enum(["constant", "linear"]).default("linear"),
    warmup: z.number().min(0).lt(1).default(0.1),
    /** Learning rates that fall when dev stalls, on top of the schedule. */
    annealing: annealingSettings.prefault({}),
    clip: z.number().positive().default(5),
    sampler: partSettings(samplers) as z.ZodType<SamplerSettings>,
    objective: partSettings(objectives) as z.ZodType<ObjectiveSettings>,
    /** A loss beside the objective that pulls spans of one label together. */
    contrastive: contrastiveSettings.prefault({}),
    /** `span` classifies spans, `token` gives each token a tag. */
    head: (partSettings(known, "span") as z.ZodType<HeadSettings>).prefault({ name: "span" } as never),
    decode: decodeSettings.prefault({}),
    inference: (partSettings(inferences) as z.ZodType<InferenceSettings>).prefault("plain" as never),
    /** Threads within an op; 0 takes all cores. Results do not depend on it. */
    threads: z.int().min(0).default(0),
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
