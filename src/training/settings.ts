import { z } from "zod";
import { encoderInput, encoderNamed, encoderSettings, migrateEncoder } from "../encoders/index.ts";
import { decodeSettings } from "../inference/predict.ts";
import { inferenceSettings } from "../inference/retrieval.ts";
import { type Method, type MethodName, methods, type SettingsInput } from "../methods/index.ts";
import { modelSettings } from "../models/kinds.ts";
import { contrastiveSettings, objectiveSettings } from "../objectives/index.ts";
import { samplerSettings } from "../samplers/index.ts";
import type { RuntimeOptions } from "../tensor/index.ts";
import { InputError, quote, unknownName } from "../util/errors.ts";
import { expectation } from "../util/expectation.ts";

/** A part that may be given by name alone: `sampler: uniform` stands for `sampler: { name: uniform }`. */
function named<S extends z.ZodType>(schema: S): z.ZodPreprocess<S> {
  return z.preprocess((given) => (typeof given === "string" ? { name: given } : given), schema);
}

/** A short training before the real one, to find tokens that are no safe negatives; then the model starts anew. */
export const exploreSettings = z.strictObject({
  /** Its length; 0 does without. */
  epochs: z.int().min(0).default(0),
  /** The share of unknown tokens, those least like O, that is taken out of the real training; 0 does without. */
  remove: z.number().min(0).max(1).default(0),
  /** How O-like a token is: O's score as the angle-based head has it, less the mean of all tags, as log-probability, or as it is. */
  value: z.enum(["angle", "centered", "logprob", "raw"]).default("angle"),
});

/** Every setting of a training run. What is not given has the default that stands here or beside the code that uses it. */
export const settingsSchema = z.strictObject({
  method: z.string().default("ce"),
  /** The reading of the method: `recommended`, or where they differ `paper` and `code` for what was published. */
  preset: z.string().default("recommended"),
  /** By its name alone, `bilstm` or `transformer:DIR`, or with its options. */
  encoder: z.preprocess(encoderInput, encoderSettings).prefault({ name: "bilstm" }),
  seed: z.int().default(1),
  epochs: z.int().min(1).default(20),
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
  clip: z.number().positive().default(5),
  sampler: named(samplerSettings),
  objective: named(objectiveSettings),
  /** A loss beside the objective that pulls spans of one label together. */
  contrastive: contrastiveSettings.prefault({}),
  /** `span` classifies spans, `token` gives each token a tag. */
  model: named(modelSettings).prefault({ name: "span" }),
  decode: decodeSettings.prefault({}),
  inference: named(inferenceSettings).prefault({ name: "plain" }),
  explore: exploreSettings.prefault({}),
  /** Threads within an op; 0 takes all cores. Results do not depend on it. */
  threads: z.int().min(0).default(0),
  device: z.enum(["cpu", "webgpu", "cuda", "coreml"]).default("cpu"),
});
export type Settings = z.output<typeof settingsSchema>;

export function runtimeOf({ device, threads }: Settings): RuntimeOptions {
  return { device, ...(threads > 0 && { threads }) };
}

/** Complete settings: the method's recipe, over it what the user gave, under it the defaults. */
export function completeSettings(given: SettingsInput): Settings {
  const name = typeof given.method === "string" ? given.method : "ce";
  if (!(name in methods)) throw new InputError(`method: unknown ${unknownName(name, Object.keys(methods))}`);
  const all = migrateEncoder(merge(recipe(methods[name as MethodName], given.preset), given));
  encoderNamed(String((all.encoder as { name: unknown }).name));
  const result = settingsSchema.safeParse(all);
  if (result.success) return result.data;
  throw new InputError(result.error.issues.map((issue) => describe(issue, all)).join("; "));
}

/** The settings of a method in one of its readings. */
function recipe({ name, settings, presets = {} }: Method, preset: unknown = "recommended"): SettingsInput {
  if (preset === "recommended") return settings;
  const chosen = typeof preset === "string" ? presets[preset] : undefined;
  if (!chosen) {
    const known = unknownName(String(preset), ["recommended", ...Object.keys(presets)]);
    throw new InputError(`method ${name}: unknown preset ${known}`);
  }
  return merge(settings, chosen);
}

/** Settings over settings; a part given by name alone keeps the options below it. */
export function merge(below: SettingsInput, above: SettingsInput): Record<string, unknown> {
  const result: Record<string, unknown> = { ...below };
  for (const [key, value] of Object.entries(above)) {
    result[key] =
      key === "encoder" ? mergeValues(encoderInput(result[key]), encoderInput(value)) : mergeValues(result[key], value);
  }
  return result;
}

/** `a.b=value` as settings; the value is read as JSON where it can be, else as text. */
export function settingOf(assignment: string): Record<string, unknown> {
  const equals = assignment.indexOf("=");
  const path = assignment.slice(0, equals).trim();
  if (equals < 1 || path === "") throw new InputError(`--set: expected key=value, got ${quote(assignment)}`);
  return settingAt(path, parseValue(assignment.slice(equals + 1)));
}

/** One setting by its path: `a.b` and a value as `{ a: { b: value } }`. */
export function settingAt(path: string, value: unknown): Record<string, unknown> {
  const [last, ...outer] = path.split(".").reverse() as [string, ...string[]];
  return outer.reduce<Record<string, unknown>>((inner, key) => ({ [key]: inner }), { [last]: value });
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function mergeValues(below: unknown, above: unknown): unknown {
  if (!isRecord(above)) return above;
  if (typeof below === "string" && !("name" in above)) return { name: below, ...above };
  if (!isRecord(below)) return above;
  const another = above.name !== undefined && below.name !== undefined && above.name !== below.name;
  return another ? above : merge(below, above);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `setting "rate": expected number, got "fast"`, or which names there are when one is not known. */
function describe(issue: z.core.$ZodIssue, given: SettingsInput): string {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(at(defaultsBeside(given), path) as object);
    return issue.keys.map((key) => `unknown setting ${unknownName([...path, key].join("."), known)}`).join("; ");
  }
  return `setting ${quote(path.join("."))}: ${expectation(issue)}, got ${quote(at(given, path))}`;
}

/** Complete settings with the parts that the user chose, where they exist, but none of their options. */
function defaultsBeside({ sampler, objective, inference = "plain", model = "span", encoder }: SettingsInput): Settings {
  const name = (part: unknown): unknown => (isRecord(part) ? part.name : part);
  const parts = {
    sampler: name(sampler),
    objective: name(objective),
    inference: name(inference),
    model: name(model) ?? "span",
    encoder: barely(name(encoder)),
  };
  const chosen = settingsSchema.safeParse(parts);
  return chosen.success ? chosen.data : settingsSchema.parse(methods.ce.settings);
}

/** An encoder with nothing but its name, and some place for what it is made from where it needs one. */
function barely(name: unknown): SettingsInput {
  return { name, ...("from" in encoderNamed(String(name)).settings.shape && { from: "any" }) };
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, key) => (isRecord(inner) ? inner[key] : inner), value);
}
