import type { z } from "zod";
import { encoderNamed, sources } from "../encoders/index.ts";
import {
  builtInParts,
  isRecord,
  merge,
  type Parts,
  type Settings,
  type SettingsInput,
  settingsSchema,
} from "../training/index.ts";
import { InputError, quote, unknownName } from "../util/errors.ts";
import { expectation, fewOf } from "../util/expectation.ts";
import { faultOf } from "../util/json.ts";
import { own } from "../util/own.ts";
import type { Method } from "./method.ts";
import { migrateSettings } from "./old-settings.ts";
import { methods } from "./table.ts";

/** The parts and methods that settings may name. */
export interface Recipes extends Parts {
  readonly methods: Readonly<Record<string, Method>>;
}

export const builtInRecipes: Recipes = { ...builtInParts, methods };

/** Complete settings: the method's recipe, over it what the user gave, under it the defaults. */
export function completeSettings(given: SettingsInput, recipes: Recipes = builtInRecipes): Settings {
  const fault = faultOf(given);
  if (fault !== undefined) throw new InputError(`settings: ${fault}`);
  const wanted = migrateSettings(given);
  const method = methodOf(wanted, recipes);
  const all = merge(merge(recipe(method, wanted.preset), wanted), { method: method.name });
  encoderNamed(String((all.encoder as { name: unknown }).name), recipes.encoders);
  const schema = settingsSchema(recipes).extend(method.sections ?? {});
  const result = schema.safeParse(all);
  if (result.success) return result.data as Settings;
  const defaults = (): unknown => defaultsBeside(all, schema, recipes);
  throw new InputError(fewOf(result.error.issues.map((issue) => describe(issue, all, defaults))));
}

/** The method that settings name; without a name, the one recommended for the head. */
function methodOf({ method, head }: SettingsInput, { methods: known, heads }: Recipes): Method {
  const kind = own(heads, String(isRecord(head) ? head.name : head));
  const name = method ?? kind?.method ?? "uniform";
  if (typeof name !== "string") throw new InputError(`setting "method": expected string, got ${quote(name)}`);
  const found = own(known, name);
  if (!found) throw new InputError(`method: unknown ${unknownName(name, Object.keys(known))}`);
  return found;
}

/** The settings of a method in one of its readings. */
function recipe({ name, settings, presets = {} }: Method, preset: unknown = "recommended"): SettingsInput {
  if (preset === "recommended") return settings;
  const chosen = typeof preset === "string" ? own(presets, preset) : undefined;
  if (!chosen) {
    const known = unknownName(String(preset), ["recommended", ...Object.keys(presets)]);
    throw new InputError(`method ${name}: unknown preset ${known}`);
  }
  return merge(settings, chosen);
}

/** `setting "rate": expected number, got "fast"`, or which names there are when one is not known. */
function describe(issue: z.core.$ZodIssue, given: SettingsInput, defaults: () => unknown): string {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(Object(at(defaults(), path)));
    return issue.keys.map((key) => `unknown setting ${unknownName([...path, key].join("."), known)}`).join("; ");
  }
  return `setting ${quote(path.join("."))}: ${expectation(issue)}, got ${quote(at(given, path))}`;
}

/** Complete settings with the parts that the user chose, where they exist, but none of their options. */
function defaultsBeside(given: SettingsInput, schema: z.ZodType, { encoders }: Recipes): unknown {
  const name = (part: unknown): unknown => (isRecord(part) ? part.name : part);
  const { sampler, objective, inference = "plain", head = "span", encoder } = given;
  const parts = {
    sampler: name(sampler),
    objective: name(objective),
    inference: name(inference),
    head: name(head) ?? "span",
    encoder: barely(encoder, encoders),
  };
  const chosen = schema.safeParse(parts);
  return chosen.success ? chosen.data : schema.parse(methods.ce.settings);
}

/** An encoder with nothing but its name and its sources, and some place for what it is made from where it needs one. */
function barely(encoder: unknown, encoders: Parts["encoders"]): SettingsInput {
  const { name, sources: given } = encoder as { readonly name: unknown; readonly sources?: unknown };
  const { shape } = encoderNamed(String(name), encoders).settings;
  return {
    name,
    ...("from" in shape && { from: "any" }),
    ...("sources" in shape && { sources: Array.isArray(given) ? given.map(bareSource) : ["words"] }),
  };
}

function bareSource(given: unknown): unknown {
  const kind = isRecord(given)
    ? own<{ readonly settings: { readonly shape: object } }>(sources, String(given.name))
    : undefined;
  return kind && isRecord(given) ? { name: given.name, ...("from" in kind.settings.shape && { from: "any" }) } : given;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, key) => (isObject(inner) ? own(inner, key) : inner), value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
